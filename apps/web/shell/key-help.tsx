import { currentWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { isApple, type KeyHelp } from '../navigation/keys.ts';
import { currentPlace } from '../navigation/router.ts';
import { screenAt } from '../screens/registry.ts';
import { parseSearch } from '../search/search-state.ts';
import { Dialog } from '../ui/dialog.tsx';
import { viewKeys } from '../workspace/view-keys.ts';
import { addonKeys } from '../workspace/view-lookup.ts';

const shellKeys: readonly KeyHelp[] = [
  { keys: [isApple ? '⌘' : 'Ctrl', 'K'], does: 'Search and commands' },
  { keys: ['?'], does: 'Show this help' },
  { keys: ['G', 'H'], does: 'Home' },
  { keys: ['G', 'S'], does: 'Settings' },
  { keys: ['G', 'P'], does: 'Profile' },
  { keys: ['/'], does: 'Search in this screen' },
  { keys: ['N'], does: 'New record' },
  { keys: [isApple ? '⌘' : 'Ctrl', 'Z'], does: 'Undo my last change' },
  { keys: [isApple ? '⌘' : 'Ctrl', 'Shift', 'Z'], does: 'Redo' },
  { keys: ['Esc'], does: 'Close the current panel or dialog' },
];

/** Keys of screens that are not views, by path. */
const screenKeys: Readonly<Record<string, readonly KeyHelp[]>> = {
  '/web/home': [
    { keys: ['↑', '↓'], does: 'Previous row, next row' },
    { keys: ['E'], does: 'Done' },
    { keys: ['T'], does: 'Tomorrow' },
    { keys: ['Alt', '←', '→'], does: 'Move a pinned app' },
  ],
  '/web/reference': [{ keys: ['↑', '↓'], does: 'Previous row, next row' }],
};

export function KeyHelpDialog({ onClose }: { readonly onClose: () => void }) {
  const here = keysHere();
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <div className="stack gap-5">
        <KeyList title={t('Everywhere')} keys={shellKeys} />
        {here.length > 0 && <KeyList title={t('On this screen')} keys={here} />}
      </div>
    </Dialog>
  );
}

function KeyList({ title, keys }: { readonly title: string; readonly keys: readonly KeyHelp[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="above-2">
        {keys.map(({ keys: caps, does }) => (
          <div className="row apart lined key-line" key={`${caps.join()} ${does}`}>
            <dt>{t(does)}</dt>
            <dd className="line gap-1">
              {caps.map((cap) => (
                <kbd key={cap}>{cap}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function keysHere(): readonly KeyHelp[] {
  const { path, query } = currentPlace();
  if (screenAt(path)) return screenKeys[path] ?? [];
  const type = currentWorkspace.get()?.viewType ?? parseSearch(query).viewType;
  return viewKeys[type] ?? addonKeys.get(type) ?? [];
}
