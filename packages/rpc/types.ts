import type { Domain, X2manyCommand } from '@kontor/protocol';

/** The type of a model: `kontor types` generates one for each. */
export interface ModelTypes {
  /** A record as it is read: fields with their values, x2many fields as arrays of ids. */
  readonly record: { readonly id: number };
  /** What `write` takes. */
  readonly values: object;
  /** What `create` takes. */
  readonly create: object;
  /** The model that each relation leads to. */
  readonly relations: object;
  /** What each action asks. */
  readonly actions: object;
  /** Methods that are open to the caller. */
  readonly methods: string;
}

/** Any model with any fields: for a client without written types. */
export interface AnyModel {
  readonly record: { readonly id: number; readonly [field: string]: unknown };
  readonly values: Readonly<Record<string, unknown>>;
  readonly create: Readonly<Record<string, unknown>>;
  readonly relations: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly methods: string;
}
export type AnyModels = Readonly<Record<string, AnyModel>>;

/** Commands of an x2many field. */
export type Commands<Values> =
  | readonly (
      | readonly ['create', Values]
      | readonly ['update', number, Values]
      | readonly ['update', number, Values, Values]
      | Exclude<X2manyCommand, readonly ['create' | 'update', ...unknown[]]>
    )[]
  | null;

type Names<T> = Extract<keyof T, string>;
type Relations<Models, Name extends keyof Models> = Models[Name] extends { readonly relations: infer R } ? R : never;
type Fields<Models, Name> = Name extends keyof Models
  ? Models[Name] extends { readonly record: infer R }
    ? R
    : never
  : never;
type Target<Models, Name extends keyof Models, Step> = Step extends keyof Relations<Models, Name>
  ? Relations<Models, Name>[Step]
  : never;

type IsAny<Models> = string extends keyof Models ? true : false;

/** The steps after a relation: checked up to the second; the server checks the rest. */
type After<Models, Name> = Name extends keyof Models
  ? Names<Fields<Models, Name>> | `${Names<Relations<Models, Name>>}.${string}`
  : string;

/** A field of a model, or a dotted path that starts with a relation. */
export type FieldPath<Models, Name extends keyof Models> =
  IsAny<Models> extends true
    ? string
    :
        | Names<Fields<Models, Name>>
        | {
            [Step in Names<Relations<Models, Name>>]: `${Step}.${After<Models, Target<Models, Name, Step>>}`;
          }[Names<Relations<Models, Name>>];

type Operator = Extract<Domain[number], readonly unknown[]>[1];

/** Conditions on the fields of a model, ANDed; `&`, `|` and `!` are prefix operators. */
export type DomainOf<Models, Name extends keyof Models> = readonly (
  | readonly [path: FieldPath<Models, Name>, operator: Operator, value: unknown]
  | '&'
  | '|'
  | '!'
)[];

/** Fields to read, and nested projections of x2many fields: `['name', { line_ids: ['qty'] }]`. */
export type ProjectionOf<Models, Name extends keyof Models> = readonly (
  | FieldPath<Models, Name>
  | (IsAny<Models> extends true
      ? Readonly<Record<string, readonly unknown[]>>
      : {
          readonly [Step in Names<Relations<Models, Name>>]?: Target<Models, Name, Step> extends infer T extends
            keyof Models
            ? readonly Names<Fields<Models, T>>[]
            : never;
        })
)[];

type ValueAt<Models, Name extends keyof Models, Path> = Path extends `${infer Step}.${infer Rest}`
  ? Target<Models, Name, Step> extends infer T extends keyof Models
    ? ValueAt<Models, T, Rest> | null
    : unknown
  : Path extends keyof Fields<Models, Name>
    ? Fields<Models, Name>[Path]
    : unknown;

type Nested<Models, Name extends keyof Models, Item> = {
  readonly [Step in keyof Item]: Target<Models, Name, Step> extends infer T extends keyof Models
    ? readonly ({ readonly id: number } & Pick<
        Fields<Models, T>,
        Extract<Item[Step] extends readonly (infer F)[] ? F : never, keyof Fields<Models, T>>
      >)[]
    : unknown;
};

type UnionToBoth<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer Both) => void
  ? Both
  : never;

/** A record with `id` and exactly the requested paths. */
export type Projected<Models, Name extends keyof Models, Asked extends readonly unknown[]> =
  IsAny<Models> extends true
    ? Fields<Models, Name>
    : { readonly id: number } & {
        readonly [Path in Extract<Asked[number], string>]: ValueAt<Models, Name, Path>;
      } & ([Exclude<Asked[number], string>] extends [never]
          ? unknown
          : UnionToBoth<
              Exclude<Asked[number], string> extends infer Item
                ? Item extends object
                  ? Nested<Models, Name, Item>
                  : never
                : never
            >);

export type RecordOf<Models, Name extends keyof Models> = Fields<Models, Name>;
export type ValuesOf<Models, Name extends keyof Models> = Models[Name] extends { readonly values: infer V } ? V : never;
export type NewOf<Models, Name extends keyof Models> = Models[Name] extends { readonly create: infer C } ? C : never;
export type ActionsOf<Models, Name extends keyof Models> = Models[Name] extends { readonly actions: infer A }
  ? A
  : never;

/** Sorting: a field, `-` before it for descending; several with commas between. */
export type OrderOf<Models, Name extends keyof Models> =
  | FieldPath<Models, Name>
  | `-${FieldPath<Models, Name>}`
  | `${string},${string}`;
