import { insertableFields, KontorError, type RouteRequest, type RouteSpec } from '@kontor/addon';
import { idIn, textIn, threadIn } from '../chatter/route-fields.ts';
import { sendTemplatePreview } from './preview.ts';
import { fillTemplate, templatesFor } from './use-template.ts';

/** Templates for the composer, and how they look. */
export const templateRoutes: readonly RouteSpec[] = [
  {
    method: 'GET',
    path: '/web/wc/mail/templates',
    auth: 'session',
    handler: async (request) => ({ body: { templates: await templatesFor(request.env, modelIn(request)) } }),
  },
  {
    method: 'GET',
    path: '/web/wc/mail/fields',
    auth: 'session',
    handler: (request) => ({
      body: { fields: insertableFields(request.env, modelIn(request), textIn(request.query, 'behind')) },
    }),
  },
  {
    method: 'GET',
    path: '/web/wc/mail/template',
    auth: 'session',
    handler: async ({ env, query }) => {
      const { model, id } = threadIn(query);
      const lang = textIn(query, 'lang');
      const template = idIn(query, 'template');
      return { body: await fillTemplate(env, { template, model, id, ...(lang ? { lang } : {}) }) };
    },
  },
  {
    method: 'GET',
    path: '/web/mail/templates/:id(^\\d{1,9}).html',
    auth: 'session',
    handler: sendTemplatePreview,
  },
];

function modelIn({ env, query }: Pick<RouteRequest, 'env' | 'query'>): string {
  const model = textIn(query, 'model');
  if (env.registry.models.has(model)) return model;
  throw new KontorError('INVALID_ARGS', 'model must name a model.', { field: 'model' });
}
