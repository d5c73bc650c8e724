import { csrfToken } from '../data/session.ts';
import { t } from '../i18n/messages.ts';
import { currentPlace, placeHref } from '../navigation/router.ts';
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

/** A form post: the server answers with a redirect, and the new page shows the data of these companies. */
export function switchCompany(id: number, shown: readonly number[] = []): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/web/company/switch';
  const companies = { company_id: String(id), company_ids: shown.join() };
  const fields = { csrf_token: csrfToken(), ...companies, next: placeHref(currentPlace()) };
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
