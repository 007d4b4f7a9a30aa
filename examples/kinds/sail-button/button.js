// Runs in the browser: a button that shows the wind.
export function mount(element) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Which wind?';
  Object.assign(button.style, { margin: 'var(--space-2)', padding: 'var(--space-1) var(--space-3)', border: '1px solid var(--border)', borderRadius: '999px' });
  button.addEventListener('click', () => (button.textContent = 'West, four.'));
  element.append(button);
}
