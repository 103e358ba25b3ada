"""What everything shares: errors, progress events, stopping and careful file access."""
