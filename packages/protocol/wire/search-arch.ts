import type { Domain } from '../domain/tree.ts';

export interface SearchFilter {
  readonly name: string;
  readonly label: string;
  readonly domain: Domain;
  /** Field (with granularity) to group by; a filter has a domain, a group-by, or both. */
  readonly groupBy: string | null;
  /** Filters of one section are ORed, sections are ANDed. */
  readonly section: number;
  readonly isDefault: boolean;
}
export interface SearchArch {
  readonly filters: readonly SearchFilter[];
  /** Fields that free text searches, each with its domain operator. */
  readonly fields: readonly { readonly name: string; readonly label: string; readonly operator: string }[];
  readonly saved: readonly SavedSearch[];
  /** The initial search of the action, as a query string; the user's default search takes precedence. */
  readonly opening?: string;
}
export interface SavedSearch {
  readonly id: number;
  readonly name: string;
  readonly isShared: boolean;
  readonly isMine: boolean;
  readonly isDefault: boolean;
  /** Query string of the workspace without action and model. */
  readonly query: string;
}
