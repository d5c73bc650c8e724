/** One addon of the catalogue, as `GET /web/apps` tells it. */
export interface CatalogueEntry {
  readonly module: string;
  readonly label: string;
  readonly summary: string;
  readonly category: string;
  readonly icon: string;
  readonly version: string;
  readonly application: boolean;
  readonly required: boolean;
  readonly state: 'uninstalled' | 'installed' | 'inactive';
  readonly dependents: readonly string[];
  readonly brings: readonly string[];
  readonly problem?: string;
}

export interface UninstallPreview {
  readonly module: string;
  readonly records: readonly { readonly model: string; readonly count: number }[];
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

export interface AppsData {
  readonly modules: readonly CatalogueEntry[];
  readonly categories: readonly string[];
  readonly uninstall?: UninstallPreview;
}

/** What is looked for. */
export interface Shown {
  readonly text: string;
  readonly category: string;
  readonly state: string;
  /** Also what is no app of its own. */
  readonly withParts: boolean;
}

/** Apps first, then by name; what is searched for may stand anywhere. */
export function findEntries(entries: readonly CatalogueEntry[], { text, category, state, withParts }: Shown) {
  const wanted = text.trim().toLocaleLowerCase();
  return entries
    .filter((entry) => withParts || entry.application || wanted !== '')
    .filter((entry) => category === '' || entry.category === category)
    .filter((entry) => state === '' || entry.state === state)
    .filter((entry) => `${entry.label} ${entry.module} ${entry.summary}`.toLocaleLowerCase().includes(wanted))
    .sort((a, b) => Number(b.application) - Number(a.application) || a.label.localeCompare(b.label));
}
