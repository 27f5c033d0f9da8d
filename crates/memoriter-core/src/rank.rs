//! One formula a file.
