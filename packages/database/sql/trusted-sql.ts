import { type Sql, sql } from './sql.ts';

/** SQL text that a developer wrote: column types, index expressions, migrations. Never anything a caller sent. */
export function trustedSql(text: string): Sql {
  return sql(Object.assign([text], { raw: [text] }));
}
