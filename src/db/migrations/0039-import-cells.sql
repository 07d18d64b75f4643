-- The cell that made an import skip the row, cut to 100 characters. Null: the whole row is at fault, or the import is older.
alter table csv_import_error add column value text;
