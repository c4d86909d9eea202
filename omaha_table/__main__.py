from omaha_table.cli import main

main()
