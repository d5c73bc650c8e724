import { createStore } from '../state/store.ts';

export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error' | 'info' | 'secret';
  readonly title: string;
  readonly body?: string;
  readonly action?: { readonly label: string; run(): void };
  /** The change sets that its action takes back: once they are, in whatever way, it has nothing to offer. */
  readonly undoes?: readonly number[];
  /** Stays until it is closed: secrets, errors. */
  readonly isSticky?: boolean;
}

export const toasts = createStore<readonly Toast[]>([]);
/** The last thing worth hearing, for the live region. */
export const announcement = createStore('');

let lastId = 0;
const keptToasts = 4;

/** A short message at the edge of the screen. Errors and secrets stay until they are closed. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = ++lastId;
  const isSticky = toast.isSticky ?? (toast.kind === 'secret' || toast.kind === 'error');
  toasts.set((now) => [...now.slice(-(keptToasts - 1)), { ...toast, isSticky, id }]);
  return id;
}

export function closeToast(id: number): void {
  toasts.set((now) => now.filter((toast) => toast.id !== id));
}

/** Those that offer to take back what has been taken back. */
export function closeOffers(changeSets: readonly number[]): void {
  toasts.set((now) => now.filter(({ undoes }) => !undoes?.some((changeSet) => changeSets.includes(changeSet))));
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  announcement.set('');
  requestAnimationFrame(() => announcement.set(text));
}
