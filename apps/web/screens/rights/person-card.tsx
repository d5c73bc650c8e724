import type { PersonRights, RecordRights } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { formatInteger } from '../../i18n/numbers.ts';
import { Chip, EmptyState } from '../../ui/parts.tsx';
import { Card } from '../page.tsx';
import { May, operations } from './groups-card.tsx';

interface PersonCardProps {
  readonly person: PersonRights;
  /** Stops to ask about the record. */
  readonly onForget: () => void;
}

/** What somebody would see of the model and do with it, and why. */
export function PersonCard({ person, onForget }: PersonCardProps) {
  const { name, isActive, groups } = person;
  return (
    <Card title={t('What would {name} see?', { name })} about={countWords(person)}>
      {!isActive && (
        <EmptyState icon="lock" title={t('{name} cannot sign in', { name })}>
          <p>{t('Archived people may do nothing.')}</p>
        </EmptyState>
      )}
      {isActive && (
        <>
          {person.record && <RecordPart {...{ person, record: person.record, onForget }} />}
          {person.record && <h3>{t('By their groups')}</h3>}
          <dl className="stack rights-facts">
            {operations.map(([operation, label]) => (
              <div key={operation}>
                <dt className="mut">{t(label)}</dt>
                <dd className="line gap-2">
                  <May isOn={person.rights[operation].length > 0} />
                  <span className="shrink">
                    {person.rights[operation].length > 0
                      ? t('as {groups}', { groups: person.rights[operation].join(', ') })
                      : t('None of their groups may')}
                  </span>
                </dd>
              </div>
            ))}
            <Names name={t('Hidden fields')} of={person.hiddenFields} otherwise={t('None')} />
            <Names name={t('Moves and actions')} of={moveNames(person, true)} otherwise={t('None')} />
            <Names name={t('Not offered')} of={moveNames(person, false)} otherwise={t('None')} />
          </dl>
          <details>
            <summary className="target">{t('Groups of {name}', { name })}</summary>
            <ul className="stack gap-1">
              {groups.map(({ name: group, through }) => (
                <li key={group}>
                  {group}
                  {through.length > 0 && (
                    <span className="small mut"> {t('implied by {groups}', { groups: through.join(', ') })}</span>
                  )}
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
    </Card>
  );
}

/** A move that is offered in some states only is named with them. */
function moveNames({ moves }: PersonRights, isOffered: boolean): readonly string[] {
  const others = new Set(moves.filter((move) => move.isOffered !== isOffered).map(({ label }) => label));
  return moves
    .filter((move) => move.isOffered === isOffered)
    .map(({ label, from }) =>
      from.length > 0 && others.has(label)
        ? t('{move} (from {states})', { move: label, states: from.join(', ') })
        : label,
    );
}

function countWords({ count, refusal, isActive }: PersonRights): string {
  if (!isActive) return '';
  if (!count) return refusal;
  const numbers = { seen: formatInteger(count.seen), of: formatInteger(count.of) };
  return count.isCut
    ? t('{seen} of the first {of} records that you see', numbers)
    : t('{seen} of the {of} records that you see', numbers);
}

interface NamesProps {
  readonly name: string;
  readonly of: readonly string[];
  readonly otherwise: string;
}

function Names({ name, of, otherwise }: NamesProps) {
  return (
    <div>
      <dt className="mut">{name}</dt>
      <dd>{of.length > 0 ? [...new Set(of)].join(', ') : otherwise}</dd>
    </div>
  );
}

interface RecordPartProps {
  readonly person: PersonRights;
  readonly record: RecordRights;
  readonly onForget: () => void;
}

/** Per right, whether the person has it on one record, and what prevents it. */
function RecordPart({ person, record, onForget }: RecordPartProps) {
  return (
    <section className="stack gap-2 lined rights-record">
      <h3 className="row wrap gap-2">
        {t('This record')}
        <Chip removeLabel={t('Stop asking about {name}', { name: record.name })} onRemove={onForget}>
          <bdi>{record.name}</bdi>
        </Chip>
      </h3>
      <dl className="stack rights-facts">
        {record.rights.map(({ operation, may, reasons }) => (
          <div key={operation}>
            <dt className="mut">{t(operations.find(([each]) => each === operation)?.[1] ?? operation)}</dt>
            <dd className="line gap-2">
              <May isOn={may} />
              <span className="shrink">{may ? t('{name} may', { name: person.name }) : reasons.join(' ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
