import type { ClientAddon } from '@kontor/protocol';
import { whileBusy } from '../state/idle.ts';
import type { ClientDefinition } from '../workspace/define-client.ts';

const loading = new Map<string, Promise<ClientDefinition>>();

/** Loads the browser code of an addon once. After a failure the next call tries again. */
export function loadClient(addon: ClientAddon): Promise<ClientDefinition> {
  const known = loading.get(addon.script);
  if (known) return known;
  const started = whileBusy(fetchClient(addon));
  loading.set(addon.script, started);
  started.catch(() => loading.delete(addon.script));
  return started;
}

async function fetchClient(addon: ClientAddon): Promise<ClientDefinition> {
  const { share } = await import('./share.ts');
  share();
  const [module] = await Promise.all([
    import(/* @vite-ignore */ addon.script) as Promise<{ default?: ClientDefinition }>,
    ...addon.styles.map(addStyles),
  ]);
  const client = module.default;
  if (client?.kind !== 'client')
    throw new Error(`client/index.ts of ${addon.module} exports no defineClient() as default.`);
  checkNames(addon, client);
  return client;
}

/** The server checks views against the names in `addon.ts`, so both must agree. */
function checkNames(addon: ClientAddon, client: ClientDefinition): void {
  const given = [...client.fields.map(({ name }) => name), ...client.views.map(({ type }) => type)];
  const named = [...addon.widgets, ...addon.views.map(({ type }) => type)];
  const missing = named.find((name) => !given.includes(name));
  const unnamed = given.find((name) => !named.includes(name));
  if (missing) throw new Error(`${addon.module} names "${missing}" in addon.ts, but its client/ does not bring it.`);
  if (unnamed) throw new Error(`${addon.module} brings "${unnamed}", but does not name it in addon.ts.`);
}

function addStyles(href: string): Promise<void> {
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error(`${href} cannot be loaded.`)));
    document.head.append(link);
  });
}
