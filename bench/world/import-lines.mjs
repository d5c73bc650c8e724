/** Uploads lines of CSV and confirms the import, as a person does; answers how many milliseconds that took. */
export async function importLines({ server }, { headers, csrf }, { model, columns, lines }) {
  const form = new FormData();
  form.set('csrf_token', csrf);
  form.set('model', model);
  form.set('file', new Blob([`${columns.join(',')}\n${lines.join('\n')}\n`], { type: 'text/csv' }), 'rows.csv');
  const startedAt = performance.now();
  const staged = await answerOf(
    fetch(`${server.url}/web/bulk/upload`, {
      method: 'POST',
      body: form,
      headers: { ...headers, accept: 'application/json' },
    }),
  );
  const call = { model: 'sys.bulk.import', method: 'call', args: [staged.id, 'action_confirm_import'] };
  const { redirect } = await answerOf(
    fetch(`${server.url}/api/rpc`, {
      method: 'POST',
      body: JSON.stringify(call),
      headers: { ...headers, 'content-type': 'application/json' },
    }),
  );
  const took = performance.now() - startedAt;
  if (!redirect.includes(`imported_${lines.length}_`)) throw new Error(`Not all rows came in: ${redirect}`);
  return took;
}

async function answerOf(request) {
  const { result, error } = await (await request).json();
  if (error) throw new Error(`${error.code} ${error.message} ${JSON.stringify(error.details).slice(0, 500)}`);
  return result;
}
