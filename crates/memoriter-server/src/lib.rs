//! Memoriter over HTTP and MCP.

pub mod wire;
