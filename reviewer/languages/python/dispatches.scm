; Functions: which of them choose by an action's name is for Python to tell.
(function_definition
  name: (identifier) @name
  body: (block) @body) @function
