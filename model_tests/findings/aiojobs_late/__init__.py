"""aiojobs: a job whose spawn() waited is started by close(), and left running."""
