import { ValueRead } from '../../fields/value.tsx';
import type { ViewProps } from '../define-view.ts';
import './styles.css';

/** The fields of one record, to be read. */
export function FormView({ workspace }: ViewProps) {
  const [record] = workspace.records;
  return (
    <div className="form-sheet">
      <h1>{String(record?.display_name ?? workspace.arch.label)}</h1>
      <dl>
        {workspace.arch.fields.map((field) => (
          <div key={field.name} className="form-line">
            <dt>{field.label}</dt>
            <dd>
              {record && <ValueRead field={field} node={field} model={workspace.model} record={record} place="form" />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
