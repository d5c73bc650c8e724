import type { Domain, FieldType } from '@kontor/protocol';

export type { FieldType } from '@kontor/protocol';

/** A default that the kernel computes when a record is made. */
export type DefaultSource =
  | { readonly source: 'sequence'; readonly code: string }
  | { readonly source: 'company-value'; readonly field: string }
  | { readonly source: 'user' | 'company' | 'today' | 'now' };

/**
 * What a default that is a function may know: who makes the record, and when.
 * ```ts
 * const thisYear = ({ today }: DefaultContext) => Number(today.slice(0, 4));
 * export const vintageFields = { year: fields.integer({ default: thisYear }) };
 * ```
 */
export interface DefaultContext {
  /** Who makes the record. */
  readonly uid: number;
  /** Their active company. */
  readonly companyId: number | null;
  /** Their language, such as `de_DE`. */
  readonly lang: string;
  /** Their time zone, such as `Europe/Berlin`. */
  readonly tz: string;
  /** `YYYY-MM-DD` in the user's time zone. */
  readonly today: string;
  /** ISO 8601 in UTC. */
  readonly now: string;
}

/** One field as its author declared it: plain frozen data. */
export interface FieldSpec {
  readonly type: FieldType;
  /** What people read; made from the name when absent. */
  readonly label?: string;
  /** A sentence about it, shown beside the label. */
  readonly help?: string;
  /** What files call the field, in any language: an import knows a column by it. Labels need not be repeated. */
  readonly synonyms?: readonly string[];
  /** The name, or names, that the field had before, the last one first: an upgrade renames it and keeps its data. */
  readonly was?: string | readonly string[];
  /**
   * What the text or JSON names: a model, or fields of the model that another field of the record names (a domain, an order, the
   * query of a screen, a list of fields, a view). An upgrade that renames these renames them here, and tells what is left.
   */
  readonly names?: 'model' | 'domain' | 'order' | 'query' | 'fields' | 'arch';
  /** It must have a value, on every way in; rows that are there get the default. */
  readonly required?: boolean;
  /** Callers outside (RPC, import) cannot write it; server code can. */
  readonly readonly?: boolean;
  /** No two records have the same value; empty ones do not count. */
  readonly unique?: boolean;
  /** The database finds records by it quickly. Many2ones have an index without a word. */
  readonly index?: boolean;
  /**
   * The value of a new record when none is given: a constant, a source such as `today`, or a function of who makes
   * it.
   */
  readonly default?: unknown | DefaultSource | ((context: DefaultContext) => unknown);
  /** Group keys; a user in none of them cannot read, write, filter or sort by the field. */
  readonly groups?: readonly string[];
  /** Write-only: stored, never readable by anyone but server code that reads it under `sudo` (password and key hashes). */
  readonly secret?: boolean;
  /** Changes are told in the chatter of the record, with the value before and after. */
  readonly tracking?: boolean;
  /**
   * It tells who somebody is, how to reach them or what is thought of them: it is found, exported and erased with the rest of
   * that person's data. `false` says that a name such as `email` misleads.
   */
  readonly personal?: boolean;
  /** Whether `copy` copies the value. Default: true, but false for one2many, unique and numbered fields. */
  readonly copy?: boolean;
  /** The value is given by `computes` of the model. */
  readonly computed?: boolean;
  /** With `computed` and `stored`: people may overrule the value. It is computed again when a field that it depends on changes. */
  readonly editable?: boolean;
  /**
   * A path through many2ones that gives the first value, such as `partner_id.phone`. People may overrule it; it is taken again
   * when the first step of the path changes. Where the path ends in nothing, the value stays.
   */
  readonly from?: string;
  /** As `from`, but where the path ends in nothing, the field is emptied. */
  readonly follows?: string;
  /** For computed and related fields: stored in a column. Other fields always are. */
  readonly stored?: boolean;
  /** A dotted path through many2ones whose value this field shows. */
  readonly related?: string;
  /** The most characters that it takes. */
  readonly size?: number;
  /** For char and text: changes a given text before it is stored (`login` in lower case). */
  readonly clean?: (given: string) => string;
  /** Total digits and digits after the point, for decimals. Monetary takes its scale from the currency at rounding time. */
  readonly precision?: readonly [digits: number, scale: number];
  /** The smallest number that it takes. */
  readonly min?: number;
  /** The largest number that it takes. */
  readonly max?: number;
  readonly selection?: Readonly<Record<string, string>>;
  /** Named sets of the choices: domains, views, locks and moves use the name where they mean all of them. */
  readonly sets?: Readonly<Record<string, readonly string[]>>;
  /** The related model's name, for relations. */
  readonly relation?: string;
  /** The many2one on the other side, for one2many. */
  readonly inverse?: string;
  /** Table and columns of a many2many, where the default names do not fit. */
  readonly through?: { readonly table: string; readonly own: string; readonly other: string };
  /** What becomes of this record when the other is deleted: it forbids that, goes along, or forgets it. */
  readonly ondelete?: 'restrict' | 'cascade' | 'set null';
  /**
   * False: the database keeps no foreign key of a many2one, so that a change neither looks for the other record nor locks it. `ondelete`
   * holds as ever for what is deleted through `env`; only a change that is on its way meanwhile may keep the number of what is gone.
   */
  readonly key?: false;
  /** What a relation may point at; tokens such as `$company_id` are filled in per user. */
  readonly domain?: Domain;
  /** The related record must belong to the record's company or to none. */
  readonly checkCompany?: boolean;
  /** The field that holds the currency, for monetary (default `currency_id`). Views load it with the amount. */
  readonly currency?: string;
  /** Models a reference may point at; any when absent. */
  readonly models?: readonly string[];
}

/** Stands for the type of a field that takes it from the end of its `related` path, until the models are assembled. */
export const inferredType = 'related' as FieldType;

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;
