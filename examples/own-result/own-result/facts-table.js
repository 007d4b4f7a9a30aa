// Runs in the browser: renders the result of one call as a table.

export function mount(element, { entry }) {
  // Throws if the output cannot be parsed; the page then shows the error, and the plain result below.
  const facts = entry.state === 'ok' ? JSON.parse(entry.output) : undefined;
  if (!Array.isArray(facts)) throw new Error(`the result is no list of facts: ${entry.output}`);
  const table = document.createElement('table');
  table.createCaption().textContent = 'This machine';
  const head = table.createTHead().insertRow();
  for (const title of ['Fact', 'Value']) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = title;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const { fact, value, unit } of facts) {
    const row = body.insertRow();
    row.insertCell().textContent = fact;
    row.insertCell().textContent = `${value} ${unit}`.trim();
  }
  // Uses CSS variables of the page, so that the table fits every theme.
  table.style.cssText = 'border-collapse: collapse; width: 100%; text-align: start';
  for (const cell of table.querySelectorAll('th, td')) {
    cell.style.cssText = 'padding: var(--space-1) var(--space-2); border-bottom: 1px solid var(--border); text-align: start';
  }
  element.append(table);
}
