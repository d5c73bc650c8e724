import { checkModelAccess } from '@kontor/orm';
import { formPager } from './form-pager.ts';
import { stageSteps } from './stage-steps.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

/** That record alone: one that a rule hides is ACCESS_DENIED, one that does not exist NOT_FOUND. A new form has none. */
export async function loadForm(request: ViewRequest): Promise<ViewData> {
  const { env, model, projection, query } = request;
  if (query.id === null) {
    checkModelAccess(env, model, 'create');
    return { records: [], total: 0, arch: await stageSteps(request) };
  }
  const paths = projection.includes('display_name') ? projection : [...projection, 'display_name'];
  const [records, steps] = await Promise.all([env.model(model.name).read([query.id], paths), stageSteps(request)]);
  const pager = await formPager(request, query.id);
  return { records, total: pager?.total ?? 1, arch: { ...steps, ...(pager ? { pager } : {}) } };
}
