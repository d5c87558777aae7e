'use strict';

const { execFile } = require('child_process');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const LANGUAGES = ['c', 'cpp', 'fortran', 'FortranFreeForm', 'FortranFixedForm'];
const SETTINGS = ['filter', 'functions', 'disable', 'experiment', 'compileCommands'];

let client;
let turn = Promise.resolve();

// Settings that are empty are left to POMP_FLAGS.
function settings() {
  const set = vscode.workspace.getConfiguration('pomp');
  const given = SETTINGS.map((name) => [name, set.get(name)]);
  return Object.fromEntries(given.filter(([, value]) => value));
}

// Why the server cannot be started, in one line; '' if it can.
function hindrance(command) {
  return new Promise((resolve) => {
    execFile(command, ['lsp', '--check'], (error, _, said) => {
      const found = error && error.code === 'ENOENT' ? `there is no ${command} on the PATH` : '';
      resolve(error ? found || said.trim() || error.message : '');
    });
  });
}

async function complain(what) {
  const open = 'Open Settings';
  const chosen = await vscode.window.showErrorMessage(
    `pomp-clang: ${what}; the setting pomp.command names the one to run`, open);
  if (chosen === open) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'pomp.command');
  }
}

async function start() {
  const command = vscode.workspace.getConfiguration('pomp').get('command');
  const wrong = await hindrance(command);
  if (wrong) {
    complain(wrong);
    return;
  }
  client = new LanguageClient('pomp', 'pomp-clang', { command, args: ['lsp'] }, {
    documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.h,*.hpp,compile_commands.json}'),
    },
    initializationOptions: settings,
  });
  await client.start();
}

async function stop() {
  if (client && client.needsStop()) {
    await client.stop();
  }
}

// One after the other, however fast settings are changed.
function restart() {
  turn = turn.then(stop).then(start, start);
  return turn;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('pomp.restart', restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('pomp')) {
        return restart();
      }
    }),
  );
  await restart();
}

module.exports = { activate, deactivate: stop };
