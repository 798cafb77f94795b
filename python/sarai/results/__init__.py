"""What playing many games gives: rollouts, series and trajectories, their summaries, figures and files."""
