# asks for two numbers and computes before each next question
        .data
width:  .asciiz "Width: "
height: .asciiz "Height: "
depth:  .asciiz "Depth: "
        .text
        .globl main
main:   la    $a0, width
        li    $t1, 5000000
        jal   ask
        la    $a0, height
        li    $t1, 2000000000
        jal   ask
        la    $a0, depth
        jal   ask
        li    $v0, 10
        syscall

ask:    li    $v0, 4
        syscall
        li    $v0, 5
        syscall
count:  addiu $t1, $t1, -1
        bnez  $t1, count
        jr    $ra
