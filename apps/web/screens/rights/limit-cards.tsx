import { type ArchField, type ModelRights, type PersonRights, parseDomain, type RuleOfModel } from '@kontor/protocol';
import { domainWords } from '../../fields/domain/domain-words.ts';
import { useRelationNames } from '../../fields/domain/relation-names.ts';
import { t } from '../../i18n/messages.ts';
import { Badge } from '../../ui/parts.tsx';
import { Card } from '../page.tsx';
import { operations } from './groups-card.tsx';

interface LimitCardsProps {
  readonly model: ModelRights;
  readonly person: PersonRights | null;
}

/** Which records, fields and moves are for some people only. */
export function LimitCards({ model, person }: LimitCardsProps) {
  const { fields, moves } = model;
  return (
    <>
      <RulesCard {...{ model, person }} />
      {fields.length > 0 && (
        <Card title={t('Fields that only some groups see')}>
          <dl className="stack rights-facts">
            {fields.map(({ label, groups }) => (
              <Fact key={label} name={label} value={groups.join(', ')} />
            ))}
          </dl>
        </Card>
      )}
      {moves.length > 0 && (
        <Card title={t('Moves and actions that only some groups do')}>
          <dl className="stack rights-facts">
            {moves.map(({ label, from, groups }) => (
              <Fact
                key={`${label} ${from.join()}`}
                name={from.length > 0 ? t('{move} (from {states})', { move: label, states: from.join(', ') }) : label}
                value={groups.join(', ')}
              />
            ))}
          </dl>
        </Card>
      )}
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="mut">{name}</dt>
      <dd>{value || t('Nobody')}</dd>
    </div>
  );
}

function RulesCard({ model, person }: LimitCardsProps) {
  const { rules, hasCompany, whole } = model;
  const fields = model.paths as readonly ArchField[];
  const trees = (rules ?? []).map(({ domain }) => parseDomain(domain));
  useRelationNames(trees, fields);
  const bound = person?.rules ? new Set(person.rules) : null;
  return (
    <Card
      title={t('Which records')}
      about={t(
        'Every rule for everybody must match, and one of the rules of the groups of a person, if they have any.',
      )}
    >
      <ul className="stack gap-3">
        {rules?.map((rule, at) => (
          <RuleLine
            key={rule.id}
            rule={rule}
            words={domainWords(trees[at] ?? { kind: 'all' }, fields, tokenWords())}
            binds={bound?.has(rule.id) ? person?.name : undefined}
          />
        ))}
        {hasCompany && <li>{t('People see the records of their companies, and those without a company.')}</li>}
        {whole !== null && (
          <li>{t('Records are seen and changed with the {model} that they belong to.', { model: whole })}</li>
        )}
        {rules === null && <li className="mut">{t('Record rules are shown to administrators.')}</li>}
        {rules?.length === 0 && !hasCompany && whole === null && (
          <li className="mut">{t('No rule limits which records people see.')}</li>
        )}
      </ul>
    </Card>
  );
}

/** Rules are about whoever is reading. */
function tokenWords(): Readonly<Record<string, string>> {
  return {
    $uid: t('the person'),
    $company_id: t('the company of the person'),
    $company_ids: t('the companies of the person'),
    $groups: t('the groups of the person'),
  };
}

interface RuleLineProps {
  readonly rule: RuleOfModel;
  readonly words: string;
  readonly binds: string | undefined;
}

function RuleLine({ rule, words, binds }: RuleLineProps) {
  const { name, groups, app, isOff, operations: bound } = rule;
  const may = operations.filter(([operation]) => bound.includes(operation)).map(([, label]) => t(label));
  return (
    <li className="stack gap-half break">
      <span className="row wrap gap-2">
        <span className="strong">{name}</span>
        {isOff && <Badge look="warn">{t('Off')}</Badge>}
        {binds !== undefined && <Badge look="info">{t('Applies to {name}', { name: binds })}</Badge>}
      </span>
      <span>{words}</span>
      <span className="small mut">
        {[
          groups.length > 0 ? groups.join(', ') : t('Everybody'),
          may.length < operations.length ? may.join(', ') : '',
          app === '' ? t('added by an administrator') : app,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}
