// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of the sources.
/**
 * Ways to break the program, one at a time, and the tests that must notice. A place is found by its text, which stands
 * once in the sources, wherever the file is; tests by the end of their path. `isBuilt`: they run on the built server and client.
 */
/** The list of concerns without one of them, by the line of `writing/concerns.ts` that it is in. */
const concernLines = {
  '  ...[access, casting, fieldAccess, owners, visibility, translated, normalise, hooks],': {
    access: ['orm/tests/writing/order-of-checks.test.ts'],
    casting: ['orm/tests/writing/write.test.ts'],
    fieldAccess: ['orm/tests/writing/order-of-checks.test.ts'],
    owners: ['orm/tests/writing/lock-order.test.ts'],
    visibility: ['orm/tests/writing/order-of-checks.test.ts'],
    translated: ['orm/tests/reading/translated.test.ts'],
    normalise: ['orm/tests/writing/normalise.test.ts'],
    hooks: ['orm/tests/writing/hooks.test.ts'],
  },
  '  ...[defaults, base, lists, conflicts, places, beginning, moves, editables, normaliseNew, numbers, required],': {
    defaults: ['orm/tests/writing/create.test.ts'],
    base: ['orm/tests/writing/base.test.ts'],
    lists: ['orm/tests/lists/x2many.test.ts'],
    conflicts: ['orm/tests/writing/base.test.ts'],
    places: ['orm/tests/states/stages.test.ts'],
    beginning: ['orm/tests/states/moves.test.ts'],
    moves: ['orm/tests/states/moves.test.ts'],
    editables: ['orm/tests/computing/editable.test.ts'],
    normaliseNew: ['orm/tests/writing/normalise.test.ts'],
    numbers: ['orm/tests/defaults/sequences.test.ts'],
    required: ['orm/tests/writing/create.test.ts'],
  },
  '  ...[links, locks],': {
    links: ['orm/tests/writing/write.test.ts'],
    locks: ['orm/tests/states/locks.test.ts'],
  },
  '  ...[listLinks, history, references, lines, company, computes, followLater],': {
    listLinks: ['orm/tests/lists/x2many.test.ts'],
    history: ['orm/tests/writing/write.test.ts'],
    references: ['orm/tests/writing/unlink.test.ts'],
    lines: ['orm/tests/lists/x2many.test.ts'],
    company: ['orm/tests/writing/write.test.ts'],
    computes: ['orm/tests/computing/computes.test.ts'],
    followLater: ['orm/tests/computing/live.test.ts'],
  },
  '  ...[constraints, circles, overlaps, needs, rules],': {
    constraints: ['orm/tests/settle/constraints.test.ts'],
    circles: ['orm/tests/settle/acyclic.test.ts'],
    overlaps: ['orm/tests/settle/excludes.test.ts'],
    needs: ['orm/tests/states/moves.test.ts'],
    rules: ['orm/tests/settle/rules.test.ts'],
  },
  '  ...[afterHooks, laterStages],': {
    afterHooks: ['orm/tests/writing/hooks.test.ts'],
    laterStages: ['orm/tests/states/stages.test.ts'],
  },
};
const concernMutations = Object.entries(concernLines).flatMap(([line, tests]) =>
  Object.entries(tests).map(([name, own]) => ({
    breaks: `concerns of a write: ${name} is not among them`,
    from: line,
    to: line.replace(new RegExp(`\\b${name}\\b(, )?`), ''),
    tests: own,
  })),
);

export const mutations = [
  ...concernMutations,
  // Rights
  {
    breaks: 'access rows: any row of the model grants everything',
    from: 'return rows.some((row) => row[operation] && (',
    to: 'return rows.some((row) => (',
    tests: ['orm/tests/access.test.ts', 'orm/tests/access-matrix.test.ts'],
  },
  {
    breaks: 'record rules: rules of groups are ANDed instead of ORed',
    from: 'if (own.length > 0) nodes.push(disjoin(...domains(own)));',
    to: 'if (own.length > 0) nodes.push(...domains(own));',
    tests: ['orm/tests/access.test.ts', 'orm/tests/access-matrix.test.ts'],
  },
  {
    breaks: 'company rule: rows of every company are seen',
    from: 'if (company !== null) nodes.push(company);',
    to: '',
    tests: ['orm/tests/access-matrix.test.ts', 'orm/tests/access.test.ts', 'server/tests/access-matrix.test.ts'],
  },
  {
    breaks: 'chosen companies: one that is no longer the reader’s is still seen',
    from: 'actor.companyIds.filter((id) => id !== active && shown.includes(id))',
    to: 'shown.filter((id) => id !== active)',
    tests: ['server/tests/companies.test.ts'],
  },
  {
    breaks: 'converted amounts: half a cent is lost before the total is rounded',
    from: 'const workingDigits = 30;',
    to: 'const workingDigits = 3;',
    tests: ['orm/tests/reading/convert-amounts.test.ts'],
  },
  {
    breaks: 'rules after a write: a record may be written out of sight',
    from: '  for (const check of checks) await checkRule(check);',
    to: '  for (const check of checks.slice(0, 0)) await checkRule(check);',
    tests: ['orm/tests/settle/rules.test.ts', 'orm/tests/access-matrix.test.ts'],
  },
  {
    breaks: 'field redaction: groups of a field hide nothing',
    from: 'return groups === undefined || groups.some((group) => env.actor.groups.has(group));',
    to: 'return groups === undefined || groups.length > 0;',
    tests: ['orm/tests/access.test.ts', 'orm/tests/reading/projection.test.ts'],
  },
  {
    breaks: 'secrets: password hashes can be read',
    from: 'return env.isSudo || (field.spec.secret !== true && isInGroups(env, field) && isInScope(env, field));',
    to: 'return env.isSudo || (isInGroups(env, field) && isInScope(env, field));',
    tests: ['orm/tests/access.test.ts', 'orm/tests/reading/projection.test.ts'],
  },
  {
    breaks: 'hidden relations: the name of a hidden record is told in groups',
    from: "const rule = isReadable ? compiler.rules(model, 'read', alias) : null;",
    to: 'const rule = null;',
    tests: ['orm/tests/reading/read-group.test.ts'],
  },
  // Callers
  {
    breaks: 'CSRF: any token is the right one',
    from: "if (typeof given !== 'string' || !isSameSecret(given, caller.csrf)) throw",
    to: "if (typeof given !== 'string') throw",
    tests: ['server/tests/sessions.test.ts', 'server/tests/login.test.ts', 'server/tests/rpc-envelope.test.ts'],
  },
  {
    breaks: 'sessions: no end after being idle',
    from: '    where s.token_hash = ${digest(token)} and u.active\n      and s.last_seen_at > now() - make_interval(mins => ${limits.idleMinutes}::int4)',
    to: '    where s.token_hash = ${digest(token)} and u.active and ${limits.idleMinutes}::int4 > 0',
    tests: ['server/tests/sessions.test.ts'],
  },
  {
    breaks: 'lockout: the sixth try is let through',
    from: 'if (state?.is_locked || state?.is_slowed) return { isAllowed: false };',
    to: 'if (state?.is_slowed) return { isAllowed: false };',
    tests: ['server/tests/login.test.ts'],
  },
  {
    breaks: "a key's scope: a key covers every model",
    from: 'if (!covers(model, method)) {',
    to: 'if (scope === undefined) {',
    tests: ['server/tests/api-keys.test.ts'],
  },
  {
    breaks: 'rate limit: an empty allowance is given out',
    from: 'const granted = Math.max(0, Math.min(wanted, perMinute - used));',
    to: 'const granted = Math.max(1, Math.min(wanted, perMinute - used));',
    tests: ['server/tests/rate-limit.test.ts'],
  },
  // Domains and lists
  {
    breaks: 'domains: != does not find what is empty',
    from: 'if (!matchesEmpty) return differs === null ? truth(true) : sql`(${differs} or ${column} is null)`;',
    to: 'if (!matchesEmpty) return differs === null ? truth(true) : differs;',
    tests: ['domain/domain-examples.test.ts', 'domain/domain-property.test.ts'],
  },
  {
    breaks: 'domains: a negated path finds records with any other line',
    from: '  });\n  return isNegated ? sql`not ${exists}` : exists;',
    to: '  });\n  return exists;',
    tests: ['domain/domain-examples.test.ts', 'domain/domain-property.test.ts'],
  },
  {
    breaks: 'domains: "or" under "not" stays "or"',
    from: '...parts], isAll !== isNegated);',
    to: '...parts], isAll);',
    tests: ['domain/domain-property.test.ts', 'domain/domain-to-sql.test.ts'],
  },
  {
    breaks: 'like: an underscore stands for any character',
    from: "replace(/[\\\\%_]/g, '\\\\$&')}%`;",
    to: "replace(/[\\\\%]/g, '\\\\$&')}%`;",
    tests: ['domain/domain-examples.test.ts'],
  },
  {
    breaks: 'limit: a page may have more than 500 rows',
    from: 'return Math.min(wholeNumber(value, name), maxLimit);',
    to: 'return wholeNumber(value, name);',
    tests: ['server/tests/rpc-reads.test.ts'],
  },
  {
    breaks: 'offset: no row is skipped',
    from: 'const skipped = offset ? sql` offset ${offset}` : empty;',
    to: 'const skipped = offset ? sql` offset ${0}` : empty;',
    tests: ['reading/search-read.test.ts', 'server/tests/rpc-reads.test.ts'],
  },
  {
    breaks: 'order: rows that are alike have no fixed order',
    from: "    parts.push({ value: sql`${ident(select.alias, 'id')}`, descending: false });",
    to: "    parts.push({ value: sql`${ident(select.alias, 'id')}`, descending: true });",
    tests: ['reading/search-read.test.ts', 'reading/projection.test.ts', 'reading/search-read-per-group.test.ts'],
  },
  {
    breaks: 'groups: weeks begin on Monday whatever the company says',
    from: "if (granularity !== 'week' || weeks.start === 1) return start(local);",
    to: "if (granularity !== 'week' || weeks.start !== 1) return start(local);",
    tests: ['reading/read-group.test.ts'],
  },
  // Values
  {
    breaks: 'computes: what is stale stays so when a relation changed',
    from: '    else pending.set(key, reach);',
    to: '    else if (reach.path.length === 0) pending.set(key, reach);',
    tests: ['computing/computes.test.ts'],
  },
  {
    breaks: 'constraints: none is asked',
    from: '  if (violations.length > 0) throw new ConstraintError(env.registry, violations);\n}\n\nasync function violationsOf(',
    to: '}\n\nasync function violationsOf(',
    tests: ['settle/constraints.test.ts'],
  },
  {
    breaks: 'uniques: a value that is taken is taken again',
    from: 'const unique = index.unique ? sql`unique ` : empty;',
    to: 'const unique = empty;',
    tests: ['database/tests/sync-schema.test.ts', 'server/tests/rpc-changes.test.ts'],
  },
  {
    breaks: 'moves: any state leads to any other',
    from: '  if (first === undefined) throw await noSuchMove(env, model, step);',
    to: '  if (first === undefined) return null;',
    tests: ['states/moves.test.ts', 'sale/tests/moves.test.ts'],
  },
  {
    breaks: 'locks: what is locked can be changed',
    from: '    if (refused.length > 0) throw await lockedError(env, model, change.id, state, refused);',
    to: '',
    tests: ['states/locks.test.ts'],
  },
  {
    breaks: 'x2many: "set" leaves the lines that it does not name',
    from: '  if (edit.replaces) return [...now.visible].filter((id) => !edit.link.has(id));',
    to: '  if (edit.replaces) return [];',
    tests: ['lists/x2many.test.ts'],
  },
  {
    breaks: 'x2many: lines out of sight can be deleted',
    from: '  if (hidden.length > 0) throw notInList(field, related, hidden);',
    to: '',
    tests: ['lists/x2many.test.ts'],
  },
  {
    breaks: 'base: the last one wins over what others changed',
    from: 'else conflicts[field.name] = { base: seen, mine: value, theirs };',
    to: 'else merged.set(field, value);',
    tests: ['writing/base.test.ts', 'server/tests/rpc-care.test.ts'],
  },
  // Calls
  {
    breaks: 'dry run: what was tried stays',
    from: "    if (transaction.state === 'begun') await (options.rollback ? undo(transaction) : commit(transaction));",
    to: "    if (transaction.state === 'begun') await commit(transaction);",
    tests: ['server/tests/rpc-care.test.ts'],
  },
  {
    breaks: 'Idempotency-Key: a call runs again',
    from: '    on conflict (user_id, key) do nothing returning id`);',
    to: '    on conflict (user_id, key) do update set body_hash = ${bodyHash} returning id`);',
    tests: ['server/tests/rpc-care.test.ts'],
  },
  {
    breaks: 'undo: what others changed since is overwritten',
    from: '  if (all.length > 0) throw await undoConflict(env, all);',
    to: '',
    tests: ['tests/revert-change-set.test.ts', 'server/tests/rpc-care.test.ts'],
  },
  // Events, jobs, mail
  {
    breaks: 'change log: what was told is told again',
    from: 'xact >= ${xmax}::numeric and ${behind}',
    to: '${xmax}::numeric > 0 and ${behind}',
    tests: ['tests/read-since.test.ts', 'server/tests/bus.test.ts'],
  },
  {
    breaks: 'bus: people hear of models that they may not read',
    from: "  if (!model || !mayAccessModel(env, model, 'read')) return false;",
    to: '  if (!model) return false;',
    tests: ['server/tests/bus.test.ts'],
  },
  {
    breaks: 'cron: a job whose process is busy is begun a second time',
    from: '          if (!(await options.locks.tryLock(row.id))) continue;',
    to: '          await options.locks.tryLock(row.id);',
    tests: ['tests/jobs.test.ts'],
  },
  {
    breaks: 'mail: what was in flight when a process died is lost',
    from: '(q.locked_until is null or q.locked_until <= now())',
    to: 'q.locked_until is null',
    tests: ['tests/mail-queue.test.ts'],
  },
  {
    breaks: 'queue: a try that kills its process does not count',
    from: 'attempts = attempts + 1, locked_by = ${claim},',
    to: 'locked_by = ${claim},',
    tests: ['tests/queues.test.ts'],
  },
  // Files in and out
  {
    breaks: 'import: a column is not known by its label',
    from: "  take('same', byLabel);",
    to: '',
    tests: ['tests/import/upload.test.ts', 'tests/import/import.test.ts', 'exchange/tests/propose-mapping.test.ts'],
  },
  {
    breaks: 'import: one bad row no longer stops the file',
    from: '  if (outcome.rejects.invalid > 0 && !batch.skipsInvalid) throw new RefusedImport(env, batch, outcome);',
    to: '',
    tests: ['tests/import/import.test.ts'],
  },
  {
    breaks: 'upsert: a record with the same key is made again',
    from: "    if (mode === 'upsert') return found;",
    to: "    if (mode === 'upsert') return null;",
    tests: ['tests/import/import.test.ts'],
  },
  {
    breaks: 'CSV: formulas are not guarded',
    from: 'return text.replaceAll(beginsFormula, "\'");',
    to: 'return text;',
    tests: ['protocol/tests/csv.test.ts', 'server/tests/export-csv.test.ts'],
  },
  {
    breaks: 'CSV: no byte order mark',
    from: 'return byteOrderMark + csvLine(fields.map(guardCell));',
    to: 'return csvLine(fields.map(guardCell));',
    tests: ['server/tests/export-csv.test.ts'],
  },
  {
    breaks: 'PDF: the head is on the first page alone',
    from: '    drawCells(content, { spec, layout, leading, y }, head, 0, Number.POSITIVE_INFINITY);',
    to: '    if (pages === 1) drawCells(content, { spec, layout, leading, y }, head, 0, Number.POSITIVE_INFINITY);',
    tests: ['server/tests/export-pdf.test.ts'],
  },
  {
    breaks: 'chatter: what people write is HTML',
    from: "    .replaceAll('<', '&lt;')\n    .replaceAll('>', '&gt;')\n    .replaceAll('\"', '&quot;')\n    .replaceAll(\"'\", '&#39;');",
    to: '    .toString();',
    tests: ['mail/tests/markdown.test.ts'],
  },
  // Screens
  {
    breaks: 'view inheritance: "before" puts it after',
    from: '      return [...content, ...kept];',
    to: '      return [...kept, ...content];',
    tests: ['views/tests/compose-view.test.ts'],
  },
  {
    breaks: 'arch: buttons of other groups are shown',
    from: 'return viewer.seesAll || !action.groups || action.groups.some((group) => viewer.groups.has(group));',
    to: 'return true;',
    tests: ['views/tests/redaction.test.ts'],
  },
  {
    breaks: "workspace: the action's defaults are forgotten",
    from: '    defaults[field.name] = isIds(filled) &&',
    to: '    if (key.length > 1_000) defaults[field.name] = isIds(filled) &&',
    tests: ['workspace/tests/workspace-views.test.ts', 'workspace/tests/workspace-list.test.ts'],
  },
  // The client
  {
    breaks: 'form: what was typed is gone after a reload',
    from: '    saveDraft(model, id, { values: edits, shown, base, unanswered });',
    to: '',
    tests: ['web/tests/form-abilities.test.ts', 'web/tests/life-lost.test.ts'],
    isBuilt: true,
  },
  {
    breaks: 'form: what is required may be left out',
    from: '    if (isRequired && isEmpty(valueIn(state, node.name)))',
    to: '    if (isRequired && isEmpty(state))',
    tests: ['web/tests/form.test.ts', 'web/tests/form-abilities.test.ts'],
    isBuilt: true,
  },
  {
    breaks: 'toast: Undo takes nothing back',
    from: "    await sendChange({ model: 'sys.change.set', method: 'call', args: [0, 'action_revert', vals] });",
    to: '',
    tests: ['web/tests/kanban.test.ts', 'web/tests/list-abilities.test.ts'],
    isBuilt: true,
  },
  {
    breaks: 'kanban: a card that was moved is not saved',
    from: '    ...(isSet ? {} : { [field]: to.value }),',
    to: '',
    tests: ['web/tests/kanban.test.ts'],
    isBuilt: true,
  },
  {
    breaks: 'search: the address forgets the conditions that a person made',
    from: "  if (state.domain.length > 0) params.set('domain', JSON.stringify(state.domain));",
    to: '',
    tests: ['web/tests/search-state.test.ts'],
  },
];
