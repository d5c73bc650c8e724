import { csrfToken } from '../data/session.ts';
import { t } from '../i18n/messages.ts';
import { currentPlace, placeHref } from '../navigation/router.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

export function CompanySwitch() {
  const { companies, company, activeCompanyId } = useBootstrap();
  if (companies.length < 2) return <span className="company dim">{company.name}</span>;
  return (
    <Menu
      label={t('Company')}
      align="end"
      entries={companies.map(({ id, name }) => ({
        key: String(id),
        label: name,
        isChecked: id === activeCompanyId,
        run: () => switchCompany(id),
      }))}
      trigger={(props) => (
        <Button kind="bare" className="company" {...props}>
          {company.name}
        </Button>
      )}
    />
  );
}

/** A form post: the server answers with a redirect, and everything on screen belongs to the other company after it. */
function switchCompany(id: number): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/web/company/switch';
  const fields = { csrf_token: csrfToken(), company_id: String(id), next: placeHref(currentPlace()) };
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
