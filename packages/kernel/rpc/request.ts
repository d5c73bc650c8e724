import { invalidArgs, type RpcRequest } from '@kontor/protocol';

const keys: ReadonlySet<string> = new Set(['model', 'method', 'args', 'kwargs']);

/** One call as it came over the wire, of either form. */
export function toRpcRequest(body: unknown): RpcRequest {
  const flat = unwrap(body);
  for (const key of Object.keys(flat)) {
    if (!keys.has(key)) throw invalidArgs(`Unknown key ${JSON.stringify(key)} in the request.`, { field: key });
  }
  const { model, method, args, kwargs = {} } = flat;
  if (typeof model !== 'string' || model === '') throw invalidArgs('`model` must be a name.', { field: 'model' });
  if (typeof method !== 'string' || method === '') throw invalidArgs('`method` must be a name.', { field: 'method' });
  if (!Array.isArray(args)) throw invalidArgs('`args` must be an array.', { field: 'args', method });
  if (!isRecord(kwargs)) throw invalidArgs('`kwargs` must be an object.', { field: 'kwargs', method });
  return { model, method, args, kwargs };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The wrapper form is an object with one key, `params`. */
function unwrap(body: unknown): Record<string, unknown> {
  if (!isRecord(body)) throw invalidArgs('The request must be an object.');
  if (!Object.hasOwn(body, 'params')) return body;
  if (Object.keys(body).length !== 1 || !isRecord(body.params)) {
    throw invalidArgs('The wrapper form has one key, `params`, with the call in it.', { field: 'params' });
  }
  return body.params;
}
