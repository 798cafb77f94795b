"""What every result that is a table needs: columns, Arrow and Parquet, equality, and tables as text."""
