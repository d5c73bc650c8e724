import {
  Button,
  defineView,
  EmptyView,
  openPanel,
  PanelHost,
  recordHref,
  t,
  tn,
  useReadRecord,
  useWorkspaceFrame,
  useWorkspaceIds,
  ViewMenu,
  type ViewProps,
  WorkspaceBar,
  writeRecords,
} from '@kontor/client';
import { memo } from 'react';

export const tilesView = defineView({ type: 'tiles', View: Tiles });

/** All readings as tiles: more are fetched by hand, each is opened beside the view, and a click counts it up, with Undo. */
function Tiles({ workspace, search, isLoading }: ViewProps) {
  const { ids, seeEnd } = useWorkspaceIds(workspace);
  const frame = useWorkspaceFrame(workspace);
  const left = workspace.listTotal - ids.length;
  return (
    <>
      <WorkspaceBar
        workspace={workspace}
        search={search}
        summary={tn('{n} gauge', '{n} gauges', workspace.listTotal)}
        actions={<ViewMenu workspace={workspace} columns={[]} />}
      />
      {ids.length === 0 && <EmptyView workspace={workspace} search={search} />}
      <ul className="gauges-tiles" aria-busy={isLoading} aria-label={workspace.arch.title}>
        {ids.map((id) => (
          <Tile key={id} id={id} workspace={frame} search={search} />
        ))}
      </ul>
      {left > 0 && <Button onClick={seeEnd}>{tn('{n} more', '{n} more', left)}</Button>}
      <PanelHost />
    </>
  );
}

/** Drawn again when something changes that it has read, whoever changed it. */
const Tile = memo(function Tile({
  id,
  workspace,
  search,
}: { readonly id: number } & Pick<ViewProps, 'workspace' | 'search'>) {
  const { model } = workspace;
  const record = useReadRecord(model, id);
  if (!record) return null;
  const name = String(record.name);
  const value = Number(record.value);
  const query = `model=${model}&view_type=form&id=${id}`;
  const open = () => openPanel({ kind: 'record', query, title: name, defaults: {}, onSaved: () => {} });
  return (
    <li>
      <a
        href={recordHref(search, workspace, id)}
        onClick={(event) => {
          event.preventDefault();
          open();
        }}
      >
        {name}: {value}
      </a>
      <Button
        onClick={() =>
          writeRecords({ model, ids: [id], values: { value: value + 1 }, done: t('Counted {name}', { name }) })
        }
      >
        {t('Count {name}', { name })}
      </Button>
    </li>
  );
});
