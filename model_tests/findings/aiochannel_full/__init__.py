"""aiochannel: put() into a closed channel that is full raises ChannelFull."""

from ..finding import Finding

FINDING = Finding(
    "aiochannel_full",
    library="aiochannel",
    versions=("1.4.1",),
    bug="put() into a closed channel that is full raises ChannelFull.",
    rule="QUEUE-30",
    control="ChannelClosed",
    shows="ChannelFull",
)
