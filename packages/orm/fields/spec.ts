import type { Aggregate, Domain, FieldType, TextFormat } from '@kontor/protocol';

export type { FieldType } from '@kontor/protocol';

/** A default that the kernel computes when a record is created. */
export type DefaultSource =
  | { readonly source: 'sequence'; readonly code: string; readonly on?: string }
  | { readonly source: 'company-value'; readonly field: string }
  | { readonly source: 'user' | 'company' | 'today' | 'now' };

/**
 * Who reads a value in which records.
 * ```ts
 * export const forMechanics: MeantFor = { groups: ['base.group_system'], where: [['last_mechanic_id', '=', '$uid']] };
 * ```
 */
export interface MeantFor {
  /** Their members read it in all records. */
  readonly groups: readonly string[];
  /** Other people read it in the records that match; `$uid` is the reader. */
  readonly where: Domain;
}

/**
 * The argument of a default function: who creates the record, and when.
 * ```ts
 * const thisYear = ({ today }: DefaultContext) => Number(today.slice(0, 4));
 * export const vintageFields = { year: fields.integer({ default: thisYear }) };
 * ```
 */
export interface DefaultContext {
  /** The user who creates the record. */
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

/** The sum of the first field per sum of the second, both of the same model, times a number such as 100. */
export interface Ratio {
  readonly ratio: readonly [part: string, whole: string];
  readonly times?: number;
}

/** A field as its author declared it: plain frozen data. */
export interface FieldSpec {
  readonly type: FieldType;
  /** The label on screens; default: derived from the name. */
  readonly label?: string;
  /** A short help text, shown beside the label. */
  readonly help?: string;
  /**
   * What files call the field, in English: an import finds a column by it. Wordbooks have those of other languages, with the context
   * `import`. Labels need not be repeated.
   */
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
  /** External callers (RPC, import) cannot write it; server code can. */
  readonly readonly?: boolean;
  /** No two records have the same value; empty values are ignored. */
  readonly unique?: boolean;
  /** Adds a database index. Many2ones always have one. */
  readonly index?: boolean;
  /**
   * The value of a new record if none is given: a constant, a source such as `today`, or a function of the user and
   * the time.
   */
  readonly default?: unknown | DefaultSource | ((context: DefaultContext) => unknown);
  /** Group keys; a user in none of them cannot read, write, filter or sort by the field. */
  readonly groups?: readonly string[];
  /**
   * Who the value is meant for, record by record: members of these groups, and for other people the records that the condition matches
   * (`["member_ids", "=", "$uid"]`). Elsewhere it is empty for them, also in conditions, order, groups and sums. For stored fields.
   */
  readonly meantFor?: MeantFor;
  /** Write-only: only server code can read it, under `sudo` (password and key hashes). */
  readonly secret?: boolean;
  /** It can be changed in every state, also on the lines of a locked list: what is noted about a record after it was settled. */
  readonly unlocked?: boolean;
  /** Changes are shown in the chatter of the record, with the old and the new value. */
  readonly tracking?: boolean;
  /**
   * Personal data (identity, contact details, opinions about a person): found, exported and erased with the other data of
   * that person. Use `false` if a name such as `email` is misleading.
   */
  readonly personal?: boolean;
  /** Whether `copy` copies the value. Default: true, but false for one2many, unique and numbered fields. */
  readonly copy?: boolean;
  /** `computes` of the model calculates the value. */
  readonly computed?: boolean;
  /** With `computed` and `stored`: users may override the value. It is recomputed when a field that it depends on changes. */
  readonly editable?: boolean;
  /**
   * A path through many2ones to the initial value, such as `partner_id.phone`. Users may override it; it is copied again
   * when the first step of the path changes. If the path leads to no value, the field keeps its value.
   */
  readonly from?: string;
  /** Like `from`, but if the path leads to no value, the field is emptied. */
  readonly follows?: string;
  /**
   * With `from` or `follows`: later changes at the end of the path are taken over too, as long as the value is the one that came from
   * there. Another value is somebody's own and stays.
   */
  readonly live?: boolean;
  /**
   * An expression over the record and its many2ones, such as `round(amount * 0.2, 2)`, that gives the value. The field is computed, and may be
   * `stored`. Fields that it reads and only some groups see limit it to these groups, unless it has `groups` of its own.
   */
  readonly formula?: string;
  /** For computed and related fields: stored in a column. Other fields always are. */
  readonly stored?: boolean;
  /** A dotted path through many2ones whose value this field shows. */
  readonly related?: string;
  /** The maximum number of characters. */
  readonly size?: number;
  /** For char: what the text holds. It is checked when somebody gives it, and shown as a link. */
  readonly format?: TextFormat;
  /** For a unique char: its values are ISO codes of countries or currencies. An import then finds records by their names in any language. */
  readonly isoCode?: 'region' | 'currency';
  /** For char: records with the same value are probably the same one, such as people with one e-mail address. An import points them out. */
  readonly likelyUnique?: boolean;
  /**
   * For char and text: a text from a data file is shown in the reader's language as long as nobody has changed it. Wordbooks have the
   * translations, with the context `data`.
   */
  readonly translated?: boolean;
  /** For char and text: changes a given text before it is stored (`login` in lower case). */
  readonly clean?: (given: string) => string;
  /**
   * For datetime: it ends what begins at this field, or something else (`true`). A day without a time, typed, chosen, pasted or imported, then means
   * the end of that day.
   */
  readonly ends?: string | true;
  /** For booleans: takes `"1"` and `"0"` as well, as forms send them. */
  readonly flag?: true;
  /** For float and decimal: what it counts. Hours are read from `1:30` and `90 min` as well. */
  readonly unit?: 'hours';
  /** Total digits and decimal places, for decimals. Monetary fields are rounded to the decimal places of the currency. */
  readonly precision?: readonly [digits: number, scale: number];
  /** The minimum. */
  readonly min?: number;
  /** The maximum. */
  readonly max?: number;
  readonly selection?: Readonly<Record<string, string>>;
  /** Named sets of choices, for use in domains, views, locks and moves. */
  readonly sets?: Readonly<Record<string, readonly string[]>>;
  /** The related model's name, for relations. */
  readonly relation?: string;
  /** The many2one on the other side, for one2many. */
  readonly inverse?: string;
  /** Table and columns of a many2many, instead of the default names. */
  readonly through?: { readonly table: string; readonly own: string; readonly other: string };
  /** What happens when the other record is deleted: the deletion fails, this record is deleted too, or the field is emptied. */
  readonly ondelete?: 'restrict' | 'cascade' | 'set null';
  /**
   * False: no foreign key in the database, so that a change neither looks up nor locks the other record. `ondelete` still applies to
   * deletions through `env`; only a concurrent change may store the id of a deleted record.
   */
  readonly key?: false;
  /** A domain for the records that may be chosen; tokens such as `$company_id` are replaced per user. */
  readonly domain?: Domain;
  /** The related record must belong to the record's company or to none. */
  readonly checkCompany?: boolean;
  /** The field that holds the currency, for monetary (default `currency_id`). Views load it with the amount. */
  readonly currency?: string;
  /** Of a many2one to core.currency: the date whose exchange rates convert the amounts of the record; by default those of today. */
  readonly ratesOn?: string;
  /**
   * How values of several records come to one: by their sum, as numbers do when it is absent, their average, or the sum of one field
   * per sum of another, such as a margin in per cent of the turnover. `none` for a number that is a name, such as a port or a year: it
   * has no sum and is shown without thousands separators.
   */
  readonly aggregate?: 'average' | 'none' | Ratio;
  /** Models a reference may point at; any when absent. */
  readonly models?: readonly string[];
}

/** The placeholder type of a field whose type comes from its `related` path, until the models are assembled. */
export const inferredType = 'related' as FieldType;

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;

/** How values of a number come to one, where that is not their sum. */
export function fieldAggregate({ spec: { aggregate } }: { readonly spec: FieldSpec }): Aggregate | undefined {
  return typeof aggregate === 'object' ? 'ratio' : aggregate;
}
