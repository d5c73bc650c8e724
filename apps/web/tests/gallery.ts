import { type AppOptions, openTestApp, type TestApp } from './browser.ts';

/** A server with the addon of `addons/gallery`, and short ways to its records. */
export interface Gallery extends TestApp {
  make(model: string, values: object): Promise<number>;
  /** Some fields of one record. */
  look<T = Record<string, unknown>>(model: string, id: number, fields: readonly unknown[]): Promise<T>;
  currency(code: string): Promise<number>;
  /** One euro is worth 1.25 dollars. */
  setRates(): Promise<void>;
}

export async function openGallery(options: AppOptions = {}): Promise<Gallery> {
  const app = await openTestApp({ apps: ['gallery'], ...options });
  const currency = async (code: string) => {
    const [found] = await app.rpc<{ id: number }[]>('core.currency', 'search_read', [[['name', '=', code]], ['id']]);
    if (!found) throw new Error(`There is no currency ${code}.`);
    return found.id;
  };
  return {
    ...app,
    currency,
    make: (model, values) => app.rpc<number>(`gallery.${model}`, 'create', [values]),
    async look<T>(model: string, id: number, fields: readonly unknown[]) {
      const [found] = await app.rpc<T[]>(`gallery.${model}`, 'read', [[id], fields]);
      return found as T;
    },
    async setRates() {
      await app.rpc('core.currency', 'write', [[await currency('EUR')], { rate: '1' }]);
      await app.rpc('core.currency', 'write', [[await currency('USD')], { rate: '1.25' }]);
    },
  };
}
