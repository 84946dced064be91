"""aiochannel: put() into a closed channel that is full raises ChannelFull."""
