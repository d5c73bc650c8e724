import { csrfToken } from '../data/session.ts';
import { t } from '../i18n/messages.ts';
import { currentPlace, placeHref } from '../navigation/router.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';

/** Chooses the active company, and those whose records are shown with it. */
export function CompanyMenu() {
  const { companies, company, activeCompanyId, shownCompanyIds: shown = [] } = useBootstrap();
  const toggled = (id: number) => (shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id]);
  return (
    <Menu
      label={t('Company')}
      align="end"
      entries={[
        ...companies.map(({ id, name }) => ({
          ...{ key: String(id), label: name, isChecked: id === activeCompanyId },
          run: () => switchCompany(id),
        })),
        ...companies
          .filter(({ id }) => id !== activeCompanyId)
          .map(({ id, name }, at) => ({
            ...{ key: `with ${id}`, label: name, isChecked: shown.includes(id) },
            ...(at === 0 ? { section: t('Also show') } : {}),
            run: () => switchCompany(activeCompanyId, toggled(id)),
          })),
      ]}
      trigger={(props) => (
        <Button kind="bare" className="cut company" {...props}>
          {shown.length > 1 ? `${company.name} +${shown.length - 1}` : company.name}
        </Button>
      )}
    />
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
