import type { Operation, ReferenceAction, ReferenceField, ReferenceModel, ReferenceRule } from '@kontor/protocol';
import { mark, t } from '../../i18n/messages.ts';
import { Badge } from '../../ui/parts.tsx';
import { Card } from '../page.tsx';
import { CallExamples } from './call-examples.tsx';

const operations: readonly (readonly [Operation, string])[] = [
  ['read', mark('Read')],
  ['write', mark('Write')],
  ['create', mark('Create')],
  ['unlink', mark('Delete')],
];

/** Everything about one model: access rights first, because they limit the rest. */
export function ModelPart({ model }: { readonly model: ReferenceModel }) {
  return (
    <>
      <header className="line wrap baseline gap-3 rows-1">
        <h2>{model.label}</h2>
        <code>{model.name}</code>
        <span className="mut">{model.app}</span>
        <a href={`/web/schema/${model.name}.json`}>JSON Schema</a>
        <a href="/web/openapi.json">OpenAPI</a>
      </header>
      <Card title={t('Your access rights')}>
        <ul className="line wrap gap-2 reference-rights">
          {operations.map(([operation, label]) => (
            <li key={operation}>
              <Badge look={model.rights[operation] ? 'ok' : 'mute'}>
                {model.rights[operation] ? t(label) : t('{right}: no', { right: t(label) })}
              </Badge>
            </li>
          ))}
        </ul>
        <Rules rules={model.rules} />
      </Card>
      <Card title={t('Fields')}>
        <div className="scroll">
          <table className="full fact-table">
            <thead>
              <tr>
                <th className="small mut" scope="col">
                  {t('Name')}
                </th>
                <th className="small mut" scope="col">
                  {t('Type')}
                </th>
                <th className="small mut" scope="col">
                  {t('About')}
                </th>
              </tr>
            </thead>
            <tbody>
              {model.fields.map((field) => (
                <FieldRow key={field.name} field={field} />
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      {model.actions.length > 0 && (
        <Card title={t('Actions')}>
          <ul className="reference-actions">
            {model.actions.map((action) => (
              <ActionLine key={action.name} action={action} />
            ))}
          </ul>
        </Card>
      )}
      <CallExamples model={model} />
    </>
  );
}

function FieldRow({ field }: { readonly field: ReferenceField }) {
  const { name, label, type, help, relation, choices } = field;
  return (
    <tr>
      <th scope="row">
        <code className="block">{name}</code>
        <span className="block mut">{label}</span>
      </th>
      <td>
        <code className="block">{type}</code>
        {relation &&
          (relation.isOpen ? (
            <a className="block" href={`/web/reference?${new URLSearchParams({ model: relation.model })}`}>
              {relation.label}
            </a>
          ) : (
            <span className="block mut">{relation.label}</span>
          ))}
      </td>
      <td>
        {field.isRequired && <Badge look="warn">{t('Required')}</Badge>}
        {field.isReadonly && <Badge look="mute">{t('Read only')}</Badge>}
        {!field.isStored && <Badge look="mute">{t('Computed')}</Badge>}
        {help && <span>{help}</span>}
        {choices.length > 0 && (
          <span className="line wrap gap-3 rows-0">
            {choices.map(([value, text]) => (
              <span key={value}>
                <code>{value}</code> {text}
              </span>
            ))}
          </span>
        )}
      </td>
    </tr>
  );
}

function ActionLine({ action }: { readonly action: ReferenceAction }) {
  return (
    <li className="line wrap baseline gap-3 rows-1 pad-y-2 lined">
      <code>{action.name}</code>
      <span>{action.labels.join(', ')}</span>
      {action.isMove && <Badge look="info">{t('Changes the state')}</Badge>}
      {action.asks.length > 0 && (
        <span className="mut">
          {t('Asks for {fields}', {
            fields: action.asks.map(({ name, isRequired }) => (isRequired ? `${name}*` : name)).join(', '),
          })}
        </span>
      )}
    </li>
  );
}

function Rules({ rules }: { readonly rules: readonly ReferenceRule[] }) {
  if (rules.length === 0) return <p className="mut">{t('No rules apply: you can access every record.')}</p>;
  const hasSome = rules.some((rule) => rule.kind === 'rule' && !rule.isForAll);
  return (
    <div className="reference-rules">
      <p className="mut">
        {hasSome
          ? t('You can access records that match all of these conditions and at least one rule of your groups.')
          : t('You can access records that match all of these conditions.')}
      </p>
      <ul className="above-2 stack">
        {rules.map((rule) => (
          <li key={rule.kind === 'rule' ? rule.name : rule.kind}>
            <RuleLine rule={rule} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function RuleLine({ rule }: { readonly rule: ReferenceRule }) {
  if (rule.kind === 'company')
    return <>{t('It belongs to a company that you have chosen to see, or to no company.')}</>;
  if (rule.kind === 'own') return <>{t('You created it.')}</>;
  if (rule.kind === 'part') return <>{t('You can see the {whole} it belongs to.', { whole: rule.label })}</>;
  const bound = operations.filter(([operation]) => rule.operations.includes(operation)).map(([, label]) => t(label));
  return (
    <>
      {rule.name}
      <span className="mut">
        {' '}
        ({rule.isForAll ? t('for everyone') : t('of a group')}: {bound.join(', ')})
      </span>
      {rule.domain && <code className="block">{rule.domain}</code>}
    </>
  );
}
