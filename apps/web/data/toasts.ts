import { createStore } from '../state/store.ts';

export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error' | 'info' | 'secret';
  readonly title: string;
  readonly body?: string;
  readonly action?: { readonly label: string; run(): void };
  /** The change sets that its action undoes: once they are undone in another way, the toast closes. */
  readonly undoes?: readonly number[];
  /** Stays until it is closed: secrets, errors. */
  readonly isSticky?: boolean;
}

export const toasts = createStore<readonly Toast[]>([]);
/** The last announcement, for the live region. */
export const announcement = createStore('');

let lastId = 0;
const keptToasts = 4;

/** Shows a short message at the edge of the screen. Errors and secrets stay until they are closed. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = ++lastId;
  const isSticky = toast.isSticky ?? (toast.kind === 'secret' || toast.kind === 'error');
  toasts.set((now) => [...now.slice(-(keptToasts - 1)), { ...toast, isSticky, id }]);
  return id;
}

/** Closes a toast before its time. */
export function closeToast(id: number): void {
  toasts.set((now) => now.filter((toast) => toast.id !== id));
}

/** Closes toasts that offer to undo what has already been undone. */
export function closeOffers(changeSets: readonly number[]): void {
  toasts.set((now) => now.filter(({ undoes }) => !undoes?.some((changeSet) => changeSets.includes(changeSet))));
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  announcement.set('');
  requestAnimationFrame(() => announcement.set(text));
}
