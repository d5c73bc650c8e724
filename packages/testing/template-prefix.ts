/** What the names of the databases begin with that this run prepares for copies. */
export function templatePrefix(): string {
  return `kontor_template_${process.env.KONTOR_TEST_RUN ?? 'alone'}_`;
}
