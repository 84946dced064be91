"""Timeouts and task groups: scopes that request the cancel of their task, and take the request back."""

from .models import scope_model
from .specification import At, Const, Error, Nest, Scope, scopes

__all__ = ["At", "Const", "Error", "Nest", "Scope", "scope_model", "scopes"]
