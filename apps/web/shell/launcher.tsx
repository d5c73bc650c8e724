import { t } from '../i18n/messages.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { NamedIcon } from '../ui/icon.tsx';

/** All apps, pinned ones first. */
export function Launcher({ onClose }: { onClose(): void }) {
  const { apps } = useBootstrap();
  const ordered = [...apps].sort((a, b) => Number(b.pinned) - Number(a.pinned));
  return (
    <nav aria-label={t('Apps')}>
      <ul>
        {ordered.map((app) => (
          <li key={app.module}>
            <a href={app.href} onClick={onClose}>
              <span className="middle accent tinted launcher-mark">
                <NamedIcon name={app.icon} size={20} />
              </span>
              {app.name}
            </a>
          </li>
        ))}
      </ul>
      <a className="medium centred round-s accent block pad-2 above-2" href="/web/home">
        {t('All apps')}
      </a>
    </nav>
  );
}
