/** A field that is added where it is missing. */
export interface MissingField {
  readonly model: string;
  readonly title: string;
  /** Names that it cannot have. */
  readonly names: readonly string[];
  /** What is known of it. */
  readonly given?: {
    readonly label: string;
    readonly type: string;
    readonly choices?: readonly string[];
    readonly relation?: string;
  };
  /** Called with its name as soon as everybody has it. */
  readonly onPublished?: (name: string) => void;
}

let open: (missing: MissingField) => void = () => {};

/** The dialog is of the workspace, which lies above: it says how to open it. */
export function opensNewFields(opener: typeof open): void {
  open = opener;
}

/** Opens the dialog that adds a field for everybody. */
export const addField = (missing: MissingField): void => open(missing);
