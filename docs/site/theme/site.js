// The search, the buttons that copy code, and the note on old versions. Pages work without any of it.
(function () {
  'use strict';
  const root = document.documentElement.dataset.root;
  const version = document.documentElement.dataset.version;

  function load(address, then) {
    const script = document.createElement('script');
    script.src = root + address;
    script.onload = then;
    document.head.append(script);
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  // rank returns how well an entry matches all words; 0 if one of them is missing.
  function rank(entry, words) {
    const page = entry.p.toLowerCase(), heading = (entry.h || '').toLowerCase(), text = entry.t.toLowerCase();
    let sum = 0;
    for (const word of words) {
      let points = 0;
      if (page === word) points += 40;
      else if (page.includes(word)) points += entry.h ? 6 : 16;
      if (heading === word) points += 30;
      else if (heading.includes(word)) points += 14;
      const first = text.indexOf(word);
      if (first >= 0) points += 2 + Math.min(4, text.split(word).length - 2);
      if (points === 0) return 0;
      sum += points;
    }
    const phrase = words.join(' ');
    if (words.length > 1 && (heading.includes(phrase) || text.includes(phrase))) sum += 12;
    return sum;
  }

  function find(query, limit) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return window.salintIndex
      .map(function (entry, order) { return { entry: entry, order: order, rank: rank(entry, words), words: words }; })
      .filter(function (found) { return found.rank > 0; })
      .sort(function (a, b) { return b.rank - a.rank || a.order - b.order; })
      .slice(0, limit);
  }

  // marked adds a text to an element, with the words marked.
  function marked(into, text, words) {
    const lower = text.toLowerCase();
    let at = 0;
    while (at < text.length) {
      let next = -1, length = 0;
      for (const word of words) {
        const place = lower.indexOf(word, at);
        if (place >= 0 && (next < 0 || place < next)) { next = place; length = word.length; }
      }
      if (next < 0) break;
      into.append(text.slice(at, next), element('mark', '', text.slice(next, next + length)));
      at = next + length;
    }
    into.append(text.slice(at));
  }

  function excerpt(text, words) {
    const places = words.map(function (word) { return text.toLowerCase().indexOf(word); }).filter(function (at) { return at >= 0; });
    const from = Math.max(0, (places.length ? Math.min.apply(null, places) : 0) - 60);
    return (from > 0 ? '…' : '') + text.slice(from, from + 180) + (text.length > from + 180 ? '…' : '');
  }

  function show(into, query, limit) {
    const results = find(query, limit);
    into.replaceChildren();
    if (query.trim() !== '' && results.length === 0) into.append(element('p', '', 'Nothing found for “' + query + '”.'));
    for (const found of results) {
      const link = element('a', 'result'), title = element('strong'), text = element('span');
      link.href = root + found.entry.u;
      marked(title, found.entry.h ? found.entry.p + ' › ' + found.entry.h : found.entry.p, found.words);
      marked(text, excerpt(found.entry.t, found.words), found.words);
      link.append(title, text);
      into.append(link);
    }
  }

  function withIndex(then) {
    if (window.salintIndex) then();
    else load('search-index.js', then);
  }

  function setUpSearch() {
    const form = document.querySelector('form.search');
    const input = form.querySelector('input'), results = form.querySelector('.results');
    form.hidden = false;
    const update = function () {
      withIndex(function () {
        show(results, input.value, 8);
        results.hidden = input.value.trim() === '';
      });
    };
    const choose = function (step) {
      const links = Array.from(results.querySelectorAll('a'));
      const at = links.findIndex(function (link) { return link.classList.contains('chosen'); });
      if (links.length === 0) return;
      if (at >= 0) links[at].classList.remove('chosen');
      const chosen = links[(at + step + links.length + (at < 0 && step < 0 ? 1 : 0)) % links.length];
      chosen.classList.add('chosen');
      chosen.scrollIntoView({ block: 'nearest' });
    };
    input.addEventListener('input', update);
    input.addEventListener('focus', update);
    input.addEventListener('keydown', function (event) {
      const chosen = results.querySelector('.chosen');
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') { choose(event.key === 'ArrowDown' ? 1 : -1); event.preventDefault(); }
      else if (event.key === 'Escape') { results.hidden = true; input.blur(); }
      else if (event.key === 'Enter' && chosen && !results.hidden) { event.preventDefault(); location.href = chosen.href; results.hidden = true; }
    });
    document.addEventListener('click', function (event) { if (!form.contains(event.target)) results.hidden = true; });
    document.addEventListener('keydown', function (event) {
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { input.focus(); event.preventDefault(); }
    });
    const page = document.getElementById('found');
    const query = new URLSearchParams(location.search).get('q');
    if (page && query) withIndex(function () { show(page, query, 50); });
  }

  // The button copies commands without their output, if the block has both.
  function setUpCopying() {
    if (!navigator.clipboard) return;
    for (const block of document.querySelectorAll('.code')) {
      const button = element('button', 'copy', 'Copy');
      button.type = 'button';
      button.addEventListener('click', function () {
        const commands = Array.from(block.querySelectorAll('.cmd'), function (line) { return line.textContent; });
        const text = commands.length ? commands.join('\n') + '\n' : block.querySelector('code').textContent;
        navigator.clipboard.writeText(text).then(function () {
          button.textContent = 'Copied';
          setTimeout(function () { button.textContent = 'Copy'; }, 1500);
        });
      });
      block.append(button);
    }
  }

  function noteOutdated() {
    if (!/^v\d/.test(version)) return;
    load('../versions.js', function () {
      if (!window.salintLatest || window.salintLatest === version) return;
      const note = document.querySelector('.outdated'), link = element('a', '', window.salintLatest);
      link.href = root + '../' + window.salintLatest + '/index.html';
      note.append('This is the documentation of ' + version + '. The latest release is ', link, '.');
      note.hidden = false;
    });
  }

  // The entry of the page is in sight, however long the list is.
  function showPlace() {
    const current = document.querySelector('nav a[aria-current]'), list = document.querySelector('nav');
    if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  showPlace();
  setUpSearch();
  setUpCopying();
  noteOutdated();
})();
