export * from './agents/agent-call.ts';
export * from './agents/decide.ts';
export * from './agents/shown-proposals.ts';
export * from './audit/sign-ins.ts';
export * from './audit/watch-reads.ts';
export * from './automations/automation.ts';
export * from './automations/formula-for.ts';
export * from './automations/load-automations.ts';
export * from './automations/run-automations.ts';
export * from './automations/use-of-fields.ts';
export { changesAfter, type FollowedRecords } from './change-log/changes-after.ts';
export { ownChanges } from './change-log/undo/own-changes.ts';
export { checkFormula } from './customise/check-formula.ts';
export * from './customise/customise.ts';
export * from './customise/describe.ts';
export * from './customise/export-addon.ts';
export { guessImportColumn, guessSpreadsheet } from './customise/guess-spreadsheet.ts';
export { importAddon } from './customise/import-addon.ts';
export { previewScreen } from './customise/preview.ts';
export { rightsScreen } from './customise/rights/rights-screen.ts';
export { customiseStates } from './customise/states.ts';
export * from './events/event-feed.ts';
export * from './events/notice-ways.ts';
export * from './events/notification.ts';
export * from './events/outbox.ts';
export * from './events/part.ts';
export { quietEnd, quietHoursIn, quietUntil } from './events/quiet-hours.ts';
export * from './events/read-events.ts';
export * from './identity/api-keys.ts';
export * from './identity/call-allowance.ts';
export * from './identity/factors/factor.ts';
export * from './identity/factors/passkeys.ts';
export * from './identity/factors/provider.ts';
export * from './identity/factors/recovery-codes.ts';
export * from './identity/factors/second-step.ts';
export * from './identity/factors/sign-in-step.ts';
export * from './identity/factors/totp.ts';
export { type HeldChanges, readHeld, readScope } from './identity/key-scope.ts';
export * from './identity/key-secrets.ts';
export * from './identity/own-password.ts';
export * from './identity/password-reset.ts';
export * from './identity/rights.ts';
export * from './identity/secrets.ts';
export * from './identity/sessions.ts';
export * from './identity/setup.ts';
export * from './identity/sign-in.ts';
export * from './identity/tell-person.ts';
export { type UnsubscribeScope, unsubscribeLink, unsubscribeScope } from './identity/unsubscribe.ts';
export { invitationDays, invitationMail } from './identity/user.ts';
export * from './identity/words-for.ts';
export * from './jobs/start-jobs.ts';
export * from './jobs/start-workers.ts';
export * from './logs/log.ts';
export { companyFrame, type MailFrame } from './mail/company-frame.ts';
export * from './mail/compose-mail.ts';
export * from './mail/mail-queue.ts';
export * from './mail/mail-server.ts';
export * from './mail/send-mail.ts';
export { checkSender, senderDns } from './mail/sender-dns.ts';
export { ownSender } from './mail/sender-of.ts';
export * from './mail/show-text.ts';
export * from './mail/start-mail.ts';
export { textMail } from './mail/text-mail.ts';
export { type OutsideRequest, type OutsideResult, outsideRequests } from './outgoing/request-outside.ts';
export { fileAnswer } from './pages/file-answer.ts';
export { Html, html } from './pages/html.ts';
export { secretHeaders, secretPage } from './pages/secret-page.ts';
export { exportRoute, openPersonalData, personalFile, privacyGroup } from './personal/request.ts';
export * from './places/gazetteer.ts';
export * from './presence/presence.ts';
export * from './queries/asked-query.ts';
export * from './queries/propose-indexes.ts';
export * from './queue/measure-queues.ts';
export * from './queue/queue-fields.ts';
export * from './queue/start-queue.ts';
export * from './queue/start-queues.ts';
export * from './settings/config-parameter.ts';
export * from './system-parts.ts';
export {
  bestLanguage,
  fillRecordText,
  fromHtml,
  type InsertableField,
  insertableFields,
  type RecordValues,
  recordTextMistake,
  recordTextValues,
  type Writing,
  writtenValue,
} from './texts/record-text.ts';
export { type RenderedText, renderText, toHtml, toParagraphs } from './texts/render-text.ts';
