import { t } from '../i18n/messages.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { NamedIcon } from '../ui/icon.tsx';

/** All apps, pinned ones first. */
export function Launcher({ onClose }: { onClose(): void }) {
  const { apps } = useBootstrap();
  const ordered = [...apps].sort((a, b) => Number(b.pinned) - Number(a.pinned));
  return (
    <nav aria-label={t('Apps')}>
      <ul className="stack gap-1 launcher-apps">
        {ordered.map((app) => (
          <li key={app.module}>
            <a
              className="column level gap-1h pad-3 pad-x-1 round-m small medium centred hovers"
              href={app.href}
              onClick={onClose}
            >
              <span className="middle accent tinted mark launcher-mark">
                <NamedIcon name={app.icon} size={20} />
              </span>
              {app.name}
            </a>
          </li>
        ))}
      </ul>
      <a className="medium centred round-s accent block pad-2 above-2 hovers" href="/web/home">
        {t('All apps')}
      </a>
    </nav>
  );
}
