import { ValueRead } from '../../fields/value.tsx';
import type { ViewProps } from '../define-view.ts';
import { openRecord } from '../open-record.ts';
import { WorkspaceBar } from '../workspace-bar.tsx';

export function ListView({ workspace, search }: ViewProps) {
  const { arch, records, model } = workspace;
  const columns = arch.list?.columns ?? [];
  return (
    <>
      <WorkspaceBar workspace={workspace} search={search} />
      <table>
        <tbody>
          {records.map((record) => (
            <tr key={record.id} onClick={() => openRecord(search, workspace, record.id)}>
              {columns.map((column) => {
                const field = arch.fields.find((one) => one.name === column.name);
                return (
                  <td key={column.name}>
                    {field && <ValueRead field={field} node={column} model={model} record={record} place="list" />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
