import type { WorkspacePayload } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { NamedIcon } from '../ui/named-icon.tsx';
import { canDraw, viewOf } from './view-lookup.ts';

/** The other views of the same records. A type that the client cannot draw is not offered. */
export function ViewTabs({ workspace }: { readonly workspace: WorkspacePayload }) {
  const tabs = workspace.viewTabs.filter((tab) => canDraw(tab.mode));
  if (tabs.length < 2) return null;
  return (
    <nav className="seg" aria-label={t('Views')}>
      {tabs.map(({ mode, label, href, active }) => (
        <a
          key={mode}
          href={href}
          aria-label={label}
          title={label}
          aria-current={active ? 'page' : undefined}
          onPointerEnter={() => viewOf(mode).preload()}
        >
          <NamedIcon name={viewOf(mode).definition.icon} />
        </a>
      ))}
    </nav>
  );
}
