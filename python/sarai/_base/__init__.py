"""What everything else in the package uses."""
