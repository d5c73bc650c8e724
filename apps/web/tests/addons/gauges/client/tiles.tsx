import { defineView, openRecord, type ViewProps, WorkspaceBar } from '@kontor/client';

export const tilesView = defineView({ type: 'tiles', View: Tiles });

function Tiles({ workspace, search }: ViewProps) {
  return (
    <>
      <WorkspaceBar workspace={workspace} search={search} />
      <ul className="gauges-tiles">
        {workspace.records.map((record) => (
          <li key={record.id}>
            <button type="button" className="btn" onClick={() => openRecord(search, workspace, record.id)}>
              {String(record.name)}: {String(record.value)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
