import { type AppOptions, openTestApp, type TestApp } from './browser.ts';

/** A server with the addon of `addons/gallery`, and short ways to its records. */
export interface Gallery extends TestApp {
  make(model: string, values: object): Promise<number>;
  /** Some fields of one record. */
  look<T = Record<string, unknown>>(model: string, id: number, fields: readonly unknown[]): Promise<T>;
  currency(code: string): Promise<number>;
}

export async function openGallery(options: AppOptions = {}): Promise<Gallery> {
  const app = await openTestApp({ apps: ['gallery'], ...options });
  return {
    ...app,
    make: (model, values) => app.rpc<number>(`gallery.${model}`, 'create', [values]),
    async look<T>(model: string, id: number, fields: readonly unknown[]) {
      const [found] = await app.rpc<T[]>(`gallery.${model}`, 'read', [[id], fields]);
      return found as T;
    },
    async currency(code) {
      const [found] = await app.rpc<{ id: number }[]>('core.currency', 'search_read', [[['name', '=', code]], ['id']]);
      if (!found) throw new Error(`There is no currency ${code}.`);
      return found.id;
    },
  };
}
