/** Anything with an id is taken for a record. */
export interface AnyRecord {
  readonly id: number;
}

/** Stands where a name is wrong, so that the compiler's message tells which one, and what would be right. */
export interface NoSuchField<Name, Known> {
  readonly 'no such field; known are': readonly [Name, Known];
}

type Element<Value> = NonNullable<Value> extends readonly (infer Item)[] ? Item : NonNullable<Value>;
type Names<Rec> = keyof Rec & string;

/**
 * The path itself where every step exists, at any depth; else what is wrong with it. Paths are checked one by one instead
 * of being listed: the list of all paths of three hops outgrows the compiler in a densely linked model.
 */
export type ValidPath<Rec, Path extends string> = string extends Path | keyof Rec
  ? Path
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends Names<Rec>
      ? Element<Rec[Head]> extends AnyRecord
        ? ValidPath<Element<Rec[Head]>, Rest> extends string
          ? Path
          : ValidPath<Element<Rec[Head]>, Rest>
        : NoSuchField<Rest, never>
      : NoSuchField<Head, Names<Rec>>
    : Path extends Names<Rec>
      ? Path
      : NoSuchField<Path, Names<Rec>>;

/** For array elements whose literal types are inferred as `Path`. */
export type PathIn<Rec, Path> = Path & ValidPath<Rec, Path & string>;

type Head<Path> = Path extends `${infer First}.${string}` ? First : Path;
type After<Path, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never;

/** A record with exactly these paths loaded; reading another one does not compile. */
export type Loaded<Rec, Path> = string extends Path | keyof Rec
  ? Rec
  : AnyRecord & { readonly [Name in Head<Path> & Names<Rec>]: LoadedValue<Rec[Name], After<Path, Name>> };

type LoadedValue<Value, Path> = unknown extends Value
  ? Value
  : NonNullable<Value> extends readonly (infer Item)[]
    ? Item extends AnyRecord
      ? readonly Loaded<Item, Path>[]
      : Value
    : NonNullable<Value> extends AnyRecord
      ? Loaded<NonNullable<Value>, Path> | Extract<Value, null>
      : Value;

/** A record being edited: all of its own fields, and behind its relations the paths that were asked for. */
export type Draft<Rec, Path> = { readonly [Name in Names<Rec>]: LoadedValue<Rec[Name], After<Path, Name>> };

/** Paths over lines that can be summed: `line_ids.subtotal`. */
export type LinePath<Rec, Value> = string extends keyof Rec
  ? string
  : {
      [Name in Names<Rec>]: NonNullable<Rec[Name]> extends readonly (infer Item)[]
        ? Item extends AnyRecord
          ? `${Name}.${NamesOf<Item, Value>}`
          : never
        : never;
    }[Names<Rec>];
type NamesOf<Rec, Value> = {
  [Name in Names<Rec>]: [NonNullable<Rec[Name]>] extends [Value] ? Name : never;
}[Names<Rec>];

/** The relations to many records. */
export type LinesOf<Rec> = string extends keyof Rec
  ? string
  : { [Name in Names<Rec>]: NonNullable<Rec[Name]> extends readonly AnyRecord[] ? Name : never }[Names<Rec>];
