// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of the sources.
/**
 * More of `mutations.mjs`: the breaks for rules whose tests once passed without them. Such a break is against the words of the
 * rule in `docs/rules.md`, in the way that its test did not see then.
 */
export const ruleMutations = [
  {
    breaks: 'PRF-30: what an operation deleted or took back counts for computes',
    from: 'if (settleState(env).hasLost) return false;',
    to: '',
    tests: ['orm/tests/settle/known-records.test.ts'],
  },
  {
    breaks: 'PTL-12: posts from other sites are taken',
    from: "if (!isOwn) throw new KontorError('CSRF_INVALID');",
    to: '',
    tests: ['server/tests/portal-accounts.test.ts'],
  },
  {
    breaks: 'GEN-2: calls are taken by another verb too',
    from: "  server.post('/api/rpc', {",
    to: "  server.route({ method: ['POST', 'PUT'], url: '/api/rpc',",
    tests: ['server/tests/every-route.test.ts'],
  },
  {
    breaks: 'GEN-5: search_read leaves out what is computed',
    from: 'return value === undefined ? absent : toJson(value);',
    to: 'return absent;',
    tests: ['reads/read.test.ts', 'server/tests/computes.test.ts'],
  },
  {
    breaks: 'GEN-5: exports leave out what is computed',
    from: "  if (output?.type !== 'cell') return null;",
    to: "  if (output?.type !== 'cell') return { index: 0, form: () => '', absent: '' };",
    tests: ['server/tests/computes.test.ts'],
  },
  {
    breaks: 'GEN-5: forms that are filled in leave out what is computed',
    from: 'const paths = computeOf(model, field)?.depends ?? [];',
    to: 'const paths = field.isStored ? (computeOf(model, field)?.depends ?? []) : [];',
    tests: ['server/tests/computes.test.ts'],
  },
  {
    breaks: 'GEN-6: a model that is defined again takes the place of the first',
    from: '  if (other !== undefined) {\n    problems.add(at, `the model is already defined',
    to: '  if (other === null) {\n    problems.add(at, `the model is already defined',
    tests: ['orm/tests/assemble-registry.test.ts'],
  },
  {
    breaks: 'GEN-6: an extension of a field forgets what the parent said of it',
    from: 'return Object.freeze({ ...previous, ...spec, ...(selection ? { selection } : {}), ...(sets ? { sets } : {}) });',
    to: 'return Object.freeze({ ...spec, ...(selection ? { selection } : {}), ...(sets ? { sets } : {}) });',
    tests: ['orm/tests/assemble-registry.test.ts'],
  },
  {
    breaks: 'RPC-2: a good answer has no error',
    from: '"result":${result},"error":null}`;',
    to: '"result":${result}}`;',
    tests: ['server/tests/rpc-envelope.test.ts'],
  },
  {
    breaks: 'RPC-2: an error has no details',
    from: 'result: null, error: { code, message, details } });',
    to: 'result: null, error: { code, message, ...(Object.keys(details).length > 0 ? { details } : {}) } });',
    tests: ['server/tests/rpc-envelope.test.ts'],
  },
  {
    breaks: 'RPC-21: a call does not tell its change set',
    from: '      await noteChange(kernel, caller, reply, answer);\n      if (answer.proposal',
    to: '      if (answer.proposal',
    tests: ['server/tests/rpc-care.test.ts'],
  },
  {
    breaks: 'RPC-23: a wrong value in a form is a failure of the server',
    from: '    if (!(error instanceof BadValue)) throw error;\n    throw new ValidationError({ [field.name]: [error.words] });\n  }\n}\n\n/** Fields that a call sets',
    to: '    throw error;\n  }\n}\n\n/** Fields that a call sets',
    tests: ['fuzz/every-field.test.ts'],
  },
  {
    breaks: 'RPC-25: every record gets the number of the first',
    from: 'const value = Number(numbers[at]);',
    to: 'const value = Number(numbers[0]);',
    tests: ['server/tests/rpc-changes.test.ts'],
  },
  {
    breaks: 'RPC-25: records without a number are left out',
    from: 'if (numbers.length !== records.ids.length || !numbers.every(',
    to: 'if (!numbers.every(',
    tests: ['server/tests/rpc-changes.test.ts'],
  },
  {
    breaks: 'RTE-7: answers outside the framework are not protected',
    from: "Object.entries({ 'x-request-id': randomUUID(), ...securityHeaderValues(randomUUID()) })",
    to: "Object.entries({ 'x-request-id': randomUUID() })",
    tests: ['server/tests/every-route.test.ts'],
  },
  {
    breaks: 'DOM-3: =like finds its pattern anywhere',
    from: 'containsPattern(text) : rawPattern(text);',
    to: 'containsPattern(text) : `%${rawPattern(text)}%`;',
    tests: ['domain/domain-examples.test.ts'],
  },
  {
    breaks: 'EVT-1: an API key opens the bus',
    from: "if (caller?.kind !== 'session') throw new KontorError('UNAUTHORIZED');\n    checkOwnOrigin",
    to: "if (!caller) throw new KontorError('UNAUTHORIZED');\n    checkOwnOrigin",
    tests: ['server/tests/bus.test.ts'],
  },
  {
    breaks: 'EVT-1: pages of others open the bus',
    from: '    checkOwnOrigin(request);\n    const { actor, sessionId } = caller;',
    to: '    const { actor, sessionId } = caller;',
    tests: ['server/tests/bus.test.ts'],
  },
  {
    breaks: 'EVT-1: a plain GET is logged as an error',
    from: "throw new KontorError('NOT_FOUND', 'This address is for a WebSocket.');",
    to: "{\n      request.log.error('no WebSocket');\n      throw new KontorError('NOT_FOUND');\n    }",
    tests: ['server/tests/bus.test.ts'],
  },
  {
    breaks: 'EXP-2: an export has what changed on its way',
    from: "const inOneSnapshot = { readOnly: true, isolation: 'repeatable read' } as const;",
    to: 'const inOneSnapshot = { readOnly: true } as const;',
    tests: ['server/tests/export-csv.test.ts'],
  },
  {
    breaks: 'CHA-11: what is next is told of records that are hidden',
    from: "const readable = await anyModel(env, model).search([['id', 'in', [...ids]]]);",
    to: 'const readable = [...ids];',
    tests: ['server/tests/chatter.test.ts'],
  },
  {
    breaks: 'AUT-6: a schedule stops after the first thousand',
    from: '    for (let at = 0; at < ids.length; at += batch) {\n      await runAutomation(',
    to: '    for (let at = 0; at < Math.min(ids.length, batch); at += batch) {\n      await runAutomation(',
    tests: ['parts/tests/automations.test.ts'],
  },
  {
    breaks: 'AUT-6: a schedule runs automations of other triggers',
    from: "all.filter(({ trigger }) => trigger === 'cron')",
    to: 'all',
    tests: ['parts/tests/automations.test.ts'],
  },
  {
    breaks: 'VIEW-8: lists load files',
    from: 'if (kind.isFile && !kind.isImage && !scope.loadsFiles) return;',
    to: '',
    tests: ['views/tests/projection.test.ts'],
  },
  {
    breaks: 'VIEW-8: cohorts load records',
    from: 'cohortArch(withoutPaths(scope), view)',
    to: 'cohortArch(scope, view)',
    tests: ['views/tests/projection.test.ts'],
  },
  {
    breaks: 'CRM-8: nothing was won in one of the months',
    from: '-3m 08:00,-3m 08:00,-2m,-2m 12:00,,',
    to: '-3m 08:00,-3m 08:00,-2m,-1m 12:00,,',
    tests: ['crm/tests/pipeline-demo.test.ts'],
  },
  {
    breaks: 'CRM-8: nothing was lost for one of the reasons',
    from: '<record id="reason_need" model="crm.lost.reason">',
    to: '<record id="reason_moon" model="crm.lost.reason"><field name="name">The moon</field></record><record id="reason_need" model="crm.lost.reason">',
    tests: ['crm/tests/pipeline-demo.test.ts'],
  },
];
