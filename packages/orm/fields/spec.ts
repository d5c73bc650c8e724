import type { Domain, FieldType } from '@kontor/protocol';

export type { FieldType } from '@kontor/protocol';

/** A default that the kernel works out when a record is made. */
export type DefaultSource =
  | { readonly source: 'sequence'; readonly code: string }
  | { readonly source: 'company-value'; readonly field: string }
  | { readonly source: 'user' | 'company' | 'today' | 'now' };

export interface DefaultContext {
  readonly uid: number;
  readonly companyId: number | null;
  readonly lang: string;
  readonly tz: string;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: string;
  /** ISO 8601 in UTC. */
  readonly now: string;
}

/** One field as its author declared it: plain frozen data. */
export interface FieldSpec {
  readonly type: FieldType;
  readonly label?: string;
  readonly help?: string;
  readonly required?: boolean;
  /** Not writable from outside (RPC, import); server code may. */
  readonly readonly?: boolean;
  readonly unique?: boolean;
  readonly index?: boolean;
  readonly default?: unknown | DefaultSource | ((context: DefaultContext) => unknown);
  /** Group keys; a user in none of them cannot read, write, filter or sort by the field. */
  readonly groups?: readonly string[];
  /** Write-only: stored, never readable by anyone but server code that reads it under `sudo` (password and key hashes). */
  readonly secret?: boolean;
  readonly tracking?: boolean;
  /** Whether `copy` takes the value along; one2many, unique and numbered fields do not unless they say so. */
  readonly copy?: boolean;
  readonly computed?: boolean;
  /** With `computed` and `stored`: people may overrule the value. It is computed anew when what it is made from changes. */
  readonly editable?: boolean;
  /** For computed and related fields: kept in a column. Others always are. */
  readonly stored?: boolean;
  /** A dotted path through many2ones whose value this field shows. */
  readonly related?: string;
  readonly size?: number;
  /** For char and text: how a given text is kept, on every way in (`login` in lower case). */
  readonly clean?: (given: string) => string;
  /** Total digits and digits after the point, for decimals. Monetary takes its scale from the currency at rounding time. */
  readonly precision?: readonly [digits: number, scale: number];
  readonly min?: number;
  readonly max?: number;
  readonly selection?: Readonly<Record<string, string>>;
  /** The related model's name, for relations. */
  readonly relation?: string;
  /** The many2one on the other side, for one2many. */
  readonly inverse?: string;
  /** Table and columns of a many2many, when they must have names of their own. */
  readonly through?: { readonly table: string; readonly own: string; readonly other: string };
  readonly ondelete?: 'restrict' | 'cascade' | 'set null';
  /** What a relation may point at; tokens such as `$company_id` are filled in per user. */
  readonly domain?: Domain;
  /** The related record must belong to the record's company or to none. */
  readonly checkCompany?: boolean;
  /** The field that holds the currency, for monetary (default `currency_id`). */
  readonly currency?: string;
  /** Models a reference may point at; any when absent. */
  readonly models?: readonly string[];
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;
