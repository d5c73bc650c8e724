import type { GroupRights, ModelRights, Operation, RightSource } from '@kontor/protocol';
import { mark, t, tn } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../page.tsx';

export const operations: readonly (readonly [Operation, string])[] = [
  ['read', mark('See')],
  ['write', mark('Change')],
  ['create', mark('Create')],
  ['unlink', mark('Delete')],
];

/** What each group may do, and where that comes from. On phones each row is a card. */
export function GroupsCard({ model }: { readonly model: ModelRights }) {
  const { groups, hiddenGroups, isAdministrator, name } = model;
  return (
    <Card title={t('Who may do what')} about={t('People may do what any of their groups may do.')}>
      {groups.length === 0 && <p className="mut">{t('No group has rights: nobody sees its records.')}</p>}
      {groups.length > 0 && (
        <table className="fact-table rights-table full">
          <thead>
            <tr>
              <th className="small mut" scope="col">
                {t('Group')}
              </th>
              {operations.map(([operation, label]) => (
                <th className="small mut" key={operation} scope="col">
                  {t(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <GroupRow key={group.id ?? 0} {...{ group, isAdministrator }} />
            ))}
          </tbody>
        </table>
      )}
      {hiddenGroups > 0 && (
        <p className="small mut">
          {tn('{n} more group that you may not see', '{n} more groups that you may not see', hiddenGroups)}
        </p>
      )}
      {isAdministrator && (
        <p className="row wrap gap-3">
          <a className="accent" href={settingsHref('base.access_rights', name)}>
            {t('Access rights')}
          </a>
          <a className="accent" href={settingsHref('base.rules', name)}>
            {t('Record rules')}
          </a>
          <a className="accent" href="/web?action=base.groups&view_type=list">
            {t('Groups')}
          </a>
        </p>
      )}
    </Card>
  );
}

function settingsHref(action: string, model: string): string {
  return `/web?${new URLSearchParams({ action, view_type: 'list', domain: JSON.stringify([['model', '=', model]]) })}`;
}

interface GroupRowProps {
  readonly group: GroupRights;
  readonly isAdministrator: boolean;
}

function GroupRow({ group: { id, name, rights, impliedBy }, isAdministrator }: GroupRowProps) {
  return (
    <tr>
      <th scope="row">
        {id !== null && isAdministrator ? (
          <a
            className="accent"
            href={`/web?${new URLSearchParams({ model: 'core.group', view_type: 'form', id: String(id) })}`}
          >
            {name}
          </a>
        ) : (
          name
        )}
        {impliedBy.length > 0 && (
          <span className="small mut block regular">
            {t('Also members of: {groups}', { groups: impliedBy.join(', ') })}
          </span>
        )}
      </th>
      {operations.map(([operation, label]) => (
        <td key={operation} data-label={t(label)}>
          <May isOn={rights[operation].length > 0} />
          <span className="block small mut">{sourcesWords(rights[operation])}</span>
        </td>
      ))}
    </tr>
  );
}

/** What a group has itself counts; otherwise the groups that it implies. */
function sourcesWords(sources: readonly RightSource[]): string {
  const own = sources.filter(({ through }) => through === '');
  const words = (own.length > 0 ? own : sources).map(({ app, through }) => {
    const from = app === '' ? t('added by an administrator') : app;
    return through === '' ? from : t('as {group} ({source})', { group: through, source: from });
  });
  return [...new Set(words)].join(', ');
}

/** Yes or no, as a mark and in words. */
export function May({ isOn }: { readonly isOn: boolean }) {
  return (
    <span className={`inline-row gap-1 ${isOn ? 'ok' : 'mut'}`}>
      <Icon name={isOn ? 'check' : 'x'} />
      <span className="sr-only">{isOn ? t('yes') : t('no')}</span>
    </span>
  );
}
