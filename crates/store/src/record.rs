//! Rows of any table. Every row has a number, a seal, the commit that wrote it, and the columns of its table; nothing uses a
//! row without checking its seal.

use rusqlite::types::{FromSql, Value};
use rusqlite::{Connection, Params, Row, params_from_iter};

use crate::error::StoreFault;
use crate::inventory::Total;
use crate::seal::row_seal;
use crate::table::StoreTable;

impl StoreTable {
    pub(crate) fn column_names(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        format!("id, seal, written, {}", names.join(", "))
    }

    /// Calls a function with every row that a condition selects.
    pub fn each(
        &self,
        connection: &Connection,
        condition: &str,
        parameters: impl Params,
        mut take: impl FnMut(StoredRow) -> Result<(), StoreFault>,
    ) -> Result<(), StoreFault> {
        let query = format!("SELECT {} FROM {} {condition}", self.column_names(), self.name);
        let mut statement = connection.prepare_cached(&query)?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            let record = StoredRow::read(row)?;
            if !record.is_sealed(self) {
                return Err(StoreFault::Damage(format!("{} {}: its checksum does not match", self.noun, record.id)));
            }
            take(record)?;
        }
        Ok(())
    }

    /// The rows that a condition selects.
    pub fn all(
        &self,
        connection: &Connection,
        condition: &str,
        parameters: impl Params,
    ) -> Result<Vec<StoredRow>, StoreFault> {
        let mut records = Vec::new();
        self.each(connection, condition, parameters, |record| {
            records.push(record);
            Ok(())
        })?;
        Ok(records)
    }

    /// The row of a number.
    pub fn one(&self, connection: &Connection, id: i64) -> Result<Option<StoredRow>, StoreFault> {
        Ok(self.all(connection, "WHERE id = ?", [id])?.pop())
    }

    /// How many rows a condition selects, and the sum of their seals. This looks at no other column: code that uses a row checks
    /// its seal.
    pub fn total(
        &self,
        connection: &Connection,
        condition: &str,
        parameters: impl Params,
    ) -> Result<Total, StoreFault> {
        let mut statement = connection.prepare_cached(&format!("SELECT seal FROM {} {condition}", self.name))?;
        let mut rows = statement.query(parameters)?;
        let mut total = Total::default();
        while let Some(row) = rows.next()? {
            total.add(row.get(0)?);
        }
        Ok(total)
    }

    /// The rows that a condition selects with no more than is needed to remove them: their first column.
    pub fn keys(
        &self,
        connection: &Connection,
        condition: &str,
        parameters: impl Params,
    ) -> Result<Vec<StoredRow>, StoreFault> {
        let query = format!("SELECT id, seal, written, {} FROM {} {condition}", self.columns[0].0, self.name);
        let mut statement = connection.prepare_cached(&query)?;
        let keys = statement.query_map(parameters, StoredRow::read)?.collect::<Result<_, _>>()?;
        Ok(keys)
    }

    pub fn delete(&self, connection: &Connection, id: i64) -> Result<(), StoreFault> {
        connection.prepare_cached(&format!("DELETE FROM {} WHERE id = ?", self.name))?.execute([id])?;
        Ok(())
    }
}

/// The columns of a row, each as SQLite keeps it.
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$(rusqlite::types::Value::from($value)),*] };
}
pub(crate) use values;

/// A row of any table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredRow {
    pub id: i64,
    pub seal: i64,
    /// The commit that wrote it: of two versions of a row the one with the higher number is the newer.
    pub written: i64,
    pub values: Vec<Value>,
}

impl StoredRow {
    /// A row with its seal.
    pub fn sealed(table: &StoreTable, id: i64, written: i64, mut values: Vec<Value>) -> Self {
        debug_assert_eq!(values.len(), table.columns.len(), "{}", table.name);
        for value in &mut values {
            // SQLite keeps −0 as 0, and the seal is checked against what it keeps.
            if let Value::Real(number) = value {
                *number += 0.0;
            }
        }
        let seal = row_seal(table.name, id, written, &values);
        StoredRow { id, seal, written, values }
    }

    /// A row as [`StoreTable::column_names`] selects it.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let values = (3..row.as_ref().column_count()).map(|column| row.get(column)).collect::<Result<_, _>>()?;
        Ok(StoredRow { id: row.get(0)?, seal: row.get(1)?, written: row.get(2)?, values })
    }

    pub fn is_sealed(&self, table: &StoreTable) -> bool {
        self.seal == row_seal(table.name, self.id, self.written, &self.values)
    }

    /// Writes the row, in the place of the one that has its number if there is one.
    pub fn put(&self, connection: &Connection, table: &StoreTable) -> Result<(), StoreFault> {
        self.execute(connection, table, "").map(drop)
    }

    /// Writes the row unless a version of it is there that is as new.
    pub fn put_if_newer(&self, connection: &Connection, table: &StoreTable) -> Result<bool, StoreFault> {
        let newer = format!(" WHERE excluded.written > {}.written", table.name);
        Ok(self.execute(connection, table, &newer)? > 0)
    }

    fn execute(&self, connection: &Connection, table: &StoreTable, condition: &str) -> Result<usize, StoreFault> {
        let marks = vec!["?"; table.columns.len() + 3].join(", ");
        let columns = ["seal", "written"].into_iter().chain(table.columns.iter().map(|(name, _)| *name));
        let update: Vec<String> = columns.map(|name| format!("{name} = excluded.{name}")).collect();
        let (name, names, update) = (table.name, table.column_names(), update.join(", "));
        let put =
            format!("INSERT INTO {name}({names}) VALUES ({marks}) ON CONFLICT(id) DO UPDATE SET {update}{condition}");
        let numbers = [self.id, self.seal, self.written].map(Value::Integer);
        Ok(connection.prepare_cached(&put)?.execute(params_from_iter(numbers.iter().chain(&self.values)))?)
    }

    /// The columns, to be taken one after the other.
    pub fn fields(&self) -> Fields<'_> {
        Fields(self.values.iter())
    }
}

/// The columns of a row, in order. After its seal is checked, a wrong type is a mistake of ours or a store of another making.
pub(crate) struct Fields<'a>(std::slice::Iter<'a, Value>);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<&'a Value, StoreFault> {
        self.0.next().ok_or_else(|| StoreFault::Damage("a row has too few columns".to_owned()))
    }

    /// Leaves out so many.
    pub fn skip(&mut self, count: usize) -> Result<&mut Self, StoreFault> {
        (0..count).try_for_each(|_| self.next().map(drop))?;
        Ok(self)
    }

    /// The next one.
    pub fn take<T: FromSql>(&mut self) -> Result<T, StoreFault> {
        let wrong = |_| StoreFault::Damage("a column has the wrong type".to_owned());
        T::column_result(self.next()?.into()).map_err(wrong)
    }
}
