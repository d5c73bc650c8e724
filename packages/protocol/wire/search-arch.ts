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
  /** Fields that free text can be looked for in, each with the domain operator it uses. */
  readonly fields: readonly { readonly name: string; readonly label: string; readonly operator: string }[];
  readonly saved: readonly SavedSearch[];
  /** What the action opens with, as a query string; the person's default search goes before it. */
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
