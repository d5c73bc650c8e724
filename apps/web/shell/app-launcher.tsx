import { useRef, useState } from 'react';
import { t } from '../i18n/messages.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { IconButton } from '../ui/button.tsx';
import { NamedIcon } from '../ui/named-icon.tsx';
import { Popover } from '../ui/popover.tsx';

/** All apps, pinned ones first, one click from everywhere. */
export function AppLauncher() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const { apps } = useBootstrap();
  const ordered = [...apps].sort((a, b) => Number(b.pinned) - Number(a.pinned));
  return (
    <>
      <IconButton
        ref={anchor}
        className="brand-apps"
        icon="layout-grid"
        label={t('Apps')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover anchor={anchor} onClose={() => setOpen(false)} className="launcher">
          <nav aria-label={t('Apps')}>
            <ul>
              {ordered.map((app) => (
                <li key={app.module}>
                  <a href={app.href} onClick={() => setOpen(false)}>
                    <span className="launcher-mark">
                      <NamedIcon name={app.icon} size={20} />
                    </span>
                    {app.name}
                  </a>
                </li>
              ))}
            </ul>
            <a className="launcher-all" href="/web/home">
              {t('All apps')}
            </a>
          </nav>
        </Popover>
      )}
    </>
  );
}
