# Fish completion for mluop. The program itself says what may follow.

function __mluop_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l option (string match -r '^--[a-z-]+=' -- "$word") # of --json=FILE
    set -l path (string replace -- "$option" '' "$word")
    for line in ($before[1] __complete $before[2..-1] "$word" 2>/dev/null)
        switch $line
            case :open
            case :files
                for file in (__fish_complete_path "$path")
                    echo "$option$file"
                end
            case :cases
                __fish_complete_path "$path" | string match -r '.*(?:/|[.]prototxt|[.]pb)(?:\t.*)?$'
            case :folders
                for folder in (__fish_complete_directories "$path")
                    echo "$option$folder"
                end
            case '*'
                echo $line
        end
    end
end

complete -c mluop -f -a '(__mluop_complete)'
